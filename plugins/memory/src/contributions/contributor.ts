import { type SessionTexts, sessionTexts } from '@gateway/plugin-sessions/api'
import { contribute, defined, optional } from '@gateway/sdk'
import { type MemoryOriginPage, memoryContributor } from '../api.ts'
import { CONVERSATIONS, documentsOfSession } from '../rules/session-texts.ts'
import { forgottenText, textWithout } from '../rules/text-without.ts'

/** Conversations of the family of sessions, which does not know the memory. */
export const conversations = contribute(memoryContributor, {
  uses: { sessions: optional(sessionTexts) },
  create: ({ sessions }) => ({
    name: CONVERSATIONS,
    async origin(sessionId) {
      const found = await sessions?.read(sessionId)
      return found && { origin: sessionId, read: async () => documentsOfSession({ sessionId, ...found }, found.texts) }
    },
    ...(sessions?.page && { page: (after?: string) => pageOf(sessions, after) }),
    async forget(sessionId, chunks) {
      const found = await sessions?.read(sessionId)
      const texts = chunks.map(({ content }) => forgottenText(content))
      const changed = new Map<string, string>()
      for (const { messageId, content } of found?.texts ?? []) {
        const left = textWithout(content, texts)
        if (left !== content) changed.set(messageId, left)
      }
      if (changed.size > 0) await sessions?.rewrite(sessionId, changed)
      return true
    },
  }),
})

async function pageOf(sessions: SessionTexts, after: string | undefined): Promise<MemoryOriginPage> {
  const { sessionIds, next } = await sessions.page(after)
  const read = async (sessionId: string) => {
    const found = await sessions.read(sessionId)
    return found ? documentsOfSession({ sessionId, ...found }, found.texts) : []
  }
  return { origins: sessionIds.map((sessionId) => ({ origin: sessionId, read: () => read(sessionId) })), ...defined({ next }) }
}

import { sessionTexts } from '@gateway/plugin-sessions/api'
import { contribute, optional } from '@gateway/sdk'
import { memoryContributor } from '../api.ts'
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

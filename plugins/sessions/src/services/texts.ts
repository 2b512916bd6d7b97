import { defined, provide } from '@gateway/sdk'
import { sessionTexts } from '../api.ts'
import { messages, sessions } from '../collections.ts'
import { MAX_MESSAGES } from '../schema.ts'

const PAGE = 50

export const textsProvider = provide(sessionTexts, {
  uses: { sessions, messages },
  create({ sessions, messages }) {
    const all = async (sessionId: string) => (await messages.find({ where: { sessionId }, sort: { seq: 1 }, limit: MAX_MESSAGES })).items
    return {
      async page(after = '') {
        const { items } = await sessions.find({ where: { sessionId: { gt: after } }, sort: { sessionId: 1 }, limit: PAGE })
        const next = items.length < PAGE ? undefined : items.at(-1)?.sessionId
        return { sessionIds: items.filter(({ messageCount }) => messageCount > 0).map(({ sessionId }) => sessionId), ...defined({ next }) }
      },
      async read(sessionId) {
        const session = await sessions.get(sessionId)
        return session && { agentName: session.agentName, texts: await all(sessionId) }
      },
      async rewrite(sessionId, contents) {
        for (const { place, messageId } of await all(sessionId)) {
          const content = contents.get(messageId)
          if (content !== undefined) await messages.updateOne(place, { set: { content } })
        }
      },
    }
  },
})

import { cutText, provide } from '@gateway/sdk'
import { sessionIndex, sessionRecorder } from '../api.ts'
import { messages, sessions } from '../collections.ts'
import { bytesOf } from '../rules/message-view.ts'
import { placeOf } from '../rules/place.ts'
import { MAX_CONTENT } from '../schema.ts'

const MAX_REASON = 1_000

export const recorderProvider = provide(sessionRecorder, {
  uses: { sessions, messages, indexes: sessionIndex },
  create: ({ sessions, messages, indexes }, ctx) => ({
    async record({ agentName, startedAt, content, answer, error, metadata }, tx) {
      const sessionId = ctx.newId('sess-')
      const at = tx.now.toISOString()
      const state =
        answer === undefined ? { state: 'failed' as const, error: cutText(error ?? '', MAX_REASON) } : { state: 'answered' as const }
      const asked = {
        messageId: ctx.newId('msg-'),
        role: 'user' as const,
        content: cutText(content, MAX_CONTENT),
        ...state,
        createdAt: startedAt,
      }
      const said =
        answer === undefined
          ? []
          : [
              {
                messageId: ctx.newId('msg-'),
                role: 'assistant' as const,
                content: cutText(answer, MAX_CONTENT),
                replyTo: asked.messageId,
                createdAt: at,
              },
            ]
      const all = [asked, ...said]
      await sessions.in(tx).insert({
        sessionId,
        agentName,
        status: 'closed',
        ...(metadata && { metadata }),
        createdAt: startedAt,
        updatedAt: at,
        closedAt: at,
        messageCount: all.length,
        bytes: all.reduce((sum, message) => sum + bytesOf(message), 0),
      })
      await messages
        .in(tx)
        .insertMany(all.map((message, index) => ({ ...message, place: placeOf(sessionId, index + 1), sessionId, seq: index + 1 })))
      for (const index of indexes) await index.add({ sessionId, agentName }, all, tx)
      return sessionId
    },
  }),
})

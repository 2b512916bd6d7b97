import { type AttentionSource, attentionSource, contribute, now } from '@gateway/sdk'
import { messages } from '../collections.ts'

const COUNT_UP_TO = 1_000
/** Unacknowledged mail is overdue after this. */
const OVERDUE_SECONDS = 3_600

/** Mail to the operator that nobody has taken up. */
export const overdueMail = contribute(attentionSource, {
  uses: { messages },
  create: ({ messages }): AttentionSource => ({
    kind: 'overdue-ack',
    capability: 'work',
    async look(limit) {
      const where = { to: 'operator', acked: false, createdAt: { lt: now(-OVERDUE_SECONDS) } } as const
      const [count, { items }] = await Promise.all([
        messages.count(where, { max: COUNT_UP_TO }),
        messages.find({ where, sort: { createdAt: -1 }, limit }),
      ])
      return {
        count,
        items: items.map(({ messageId, from, subject, createdAt }) => ({
          id: messageId,
          title: `Mail of ${from} is not acked: ${subject}`,
          tone: 'warn',
          at: createdAt,
          link: { to: '/mailbox', with: { to: 'operator' } },
        })),
      }
    },
  }),
})

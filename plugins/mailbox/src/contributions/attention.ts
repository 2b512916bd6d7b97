import { type AttentionSource, arg, attentionSource, attributed, contribute, now } from '@gateway/sdk'
import { messages } from '../collections.ts'
import { mailAck } from '../tools/mail-ack.ts'

const COUNT_UP_TO = 1_000
const OVERDUE_AFTER_SECONDS = 3_600

/** Mail to the operator that nobody has taken up. A result asks nothing of its receiver, so it is never overdue. */
export const overdueMail = contribute(attentionSource, {
  uses: { messages },
  create: ({ messages }): AttentionSource => ({
    kind: 'overdue-ack',
    capability: 'work',
    alertAfterSeconds: 86_400,
    actions: [{ id: 'ack', label: 'Acknowledge', icon: 'check', tool: mailAck, arguments: { id: arg.row('/id') }, all: 'Acknowledge all' }],
    async look(limit) {
      const where = { to: 'operator', acked: false, kind: { ne: 'result' }, createdAt: { lt: now(-OVERDUE_AFTER_SECONDS) } } as const
      const [count, { items }] = await Promise.all([
        messages.count(where, { max: COUNT_UP_TO }),
        messages.find({ where, sort: { createdAt: -1 }, limit }),
      ])
      return {
        count,
        items: items.map(({ messageId, from, fromPrincipal, subject, createdAt }) => ({
          id: messageId,
          title: `Mail of ${attributed(from, fromPrincipal)} is not acknowledged: ${subject}`,
          tone: 'warn',
          at: createdAt,
          link: { to: '/mailbox', with: { to: 'operator' } },
        })),
      }
    },
  }),
})

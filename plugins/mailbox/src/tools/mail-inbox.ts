import { closed, cutShort, defineTool, LIST_BYTES, rowLimit, Type, truncated, waitFor, waitSeconds } from '@gateway/sdk'
import { messageReceived } from '../api.ts'
import { messages } from '../collections.ts'
import { MAX_ADDRESS_LENGTH, MAX_ADDRESSES, parseAddresses } from '../rules/address.ts'
import { ownAddresses } from '../rules/own-address.ts'
import { messageSchema } from '../schema.ts'

const ROWS = rowLimit(50, 200, 'Messages')

/** Equal times are ordered by id: ids rise with time, also within one millisecond. */
const newestFirst = { createdAt: -1, messageId: -1 } as const

export const mailInbox = defineTool({
  name: 'mail_inbox',
  description: 'Read new mail, newest first; reading acks nothing. Returns {messages, unreadCount}; the count is of all unread ones.',
  capability: 'read',
  effect: 'read',
  listing: 'core',
  rest: 'GET /api/mail',
  input: Type.Object(
    {
      to: Type.Optional(
        Type.Union(
          [
            Type.String({ minLength: 1, maxLength: MAX_ADDRESSES * (MAX_ADDRESS_LENGTH + 1) }),
            Type.Array(Type.String({ minLength: 1, maxLength: MAX_ADDRESS_LENGTH }), { minItems: 1, maxItems: MAX_ADDRESSES }),
          ],
          {
            description: `At most ${MAX_ADDRESSES} addresses, as an array or separated by commas. Default: the label of your key and your id.`,
          },
        ),
      ),
      includeAcked: Type.Optional(Type.Boolean({ default: false, description: 'Include acked messages.' })),
      limit: ROWS.argument,
      waitSeconds: Type.Optional(waitSeconds),
    },
    closed,
  ),
  output: Type.Object({
    messages: Type.Array(messageSchema),
    unreadCount: Type.Integer({ description: 'Unread messages of these addresses.' }),
    truncated,
  }),
  uses: { messages, arrivals: waitFor(messageReceived) },
  check({ to }) {
    if (to !== undefined) parseAddresses('to', to)
  },
  async handle({ to, includeAcked = false, limit, waitSeconds: seconds = 0 }, { messages, arrivals }, ctx) {
    const addresses = to === undefined ? ownAddresses(ctx.principal) : parseAddresses('to', to)
    const addressed = { to: { in: addresses } }
    const rows = ROWS.of(limit)
    const unread = { ...addressed, acked: false }
    const look = async () => {
      const [page, unreadCount] = await Promise.all([
        messages.find({ where: includeAcked ? addressed : unread, sort: newestFirst, limit: rows, maxBytes: LIST_BYTES }),
        messages.count(unread),
      ])
      return { messages: [...page.items], unreadCount, ...cutShort(page, rows) }
    }
    if (seconds === 0) return look()
    return arrivals.until({
      seconds,
      wants: JSON.stringify([addresses, includeAcked, rows]),
      look,
      isAnswer: ({ messages }) => messages.length > 0,
      concerns: (message) => addresses.includes(message.to),
    })
  },
})

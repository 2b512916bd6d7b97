import { closed, defineRoute, type Infer, nextCursor, pageArguments, rowLimit, Type } from '@gateway/sdk'
import { messages } from '../collections.ts'
import { cursorAt, readPlace } from '../rules/address-cursor.ts'

const ROWS = rowLimit(50, 100, 'Addresses')
/** Counting stops here: beyond it a reader only needs to know that there are more. */
export const MAX_UNREAD = 1_000

const Address = Type.Object(
  { address: Type.String(), unread: Type.Integer({ description: 'Counted up to 1,000.' }), lastAt: Type.String() },
  closed,
)
type Address = Infer<typeof Address>

export const mailAddresses = defineRoute({
  name: 'mail.addresses',
  description: 'List the addresses that have mail, by name, with the number of messages that wait for each.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/mail/addresses',
  input: Type.Object(pageArguments(ROWS), closed),
  output: Type.Object(
    {
      count: Type.Integer(),
      addresses: Type.Array(Address),
      nextCursor,
    },
    closed,
  ),
  uses: { messages },
  async handle({ limit, cursor }, { messages }) {
    const rows = ROWS.of(limit)
    const addresses: Address[] = []
    let last = cursor === undefined ? '' : readPlace(cursor)
    // Seeks from one address to the next: the cost is one seek per address, however much mail there is.
    for (;;) {
      const [latest] = (await messages.find({ where: { to: { gt: last } }, sort: { to: 1, createdAt: -1 }, limit: 1 })).items
      if (!latest) return { count: addresses.length, addresses }
      if (addresses.length === rows) return { count: rows, addresses, nextCursor: cursorAt(last) }
      last = latest.to
      const unread = await messages.count({ to: last, acked: false }, { max: MAX_UNREAD })
      addresses.push({ address: last, unread, lastAt: latest.createdAt })
    }
  },
})

import { closed, defined, defineRoute, LIST_BYTES, nextCursor, pageArguments, Type } from '@gateway/sdk'
import { inbound } from '../collections.ts'
import { Inbound, ROWS } from '../schema.ts'

export const received = defineRoute({
  name: 'webhooks.received',
  description:
    'List the received webhooks of code hosting, newest first, with the records they changed. Returns {received, nextCursor?}. Needs `configure`.',
  capability: 'configure',
  effect: 'read',
  rest: 'GET /api/webhooks/inbound/code-hosting',
  input: Type.Object(pageArguments(ROWS), closed),
  output: Type.Object({ received: Type.Array(Inbound), nextCursor }, closed),
  uses: { inbound },
  async handle({ limit, cursor }, { inbound }) {
    const query = { sort: { inboundId: -1 }, limit: ROWS.of(limit), maxBytes: LIST_BYTES, ...defined({ cursor }) } as const
    const { items, nextCursor } = await inbound.find(query)
    return { received: items.map(({ bodyHash: _hash, ...shown }) => shown), ...defined({ nextCursor }) }
  },
})

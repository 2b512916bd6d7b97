import { closed, defined, defineRoute, LIST_BYTES, Type } from '@gateway/sdk'
import { inbound } from '../collections.ts'
import { Inbound, page } from '../schema.ts'

export const received = defineRoute({
  name: 'webhooks.received',
  description:
    'List the webhooks of code hosting that were received, the newest first, with what they changed. Returns {received, nextCursor?}. Needs `configure`.',
  capability: 'configure',
  effect: 'read',
  rest: 'GET /api/webhooks/inbound/code-hosting',
  input: Type.Object(page, closed),
  output: Type.Object({ received: Type.Array(Inbound), nextCursor: Type.Optional(Type.String()) }, closed),
  uses: { inbound },
  async handle({ limit = 50, cursor }, { inbound }) {
    const query = { sort: { inboundId: -1 }, limit, maxBytes: LIST_BYTES, ...defined({ cursor }) } as const
    const { items, nextCursor } = await inbound.find(query)
    return { received: [...items], ...defined({ nextCursor }) }
  },
})

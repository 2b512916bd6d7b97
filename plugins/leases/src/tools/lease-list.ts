import { atomically, defineTool, Type } from '@gateway/sdk'
import { leases } from '../collections.ts'
import { isStale } from '../rules/terms.ts'
import { Lease } from '../schema.ts'

const ROWS = { default: 200, max: 1_000 }

export const leaseList = defineTool({
  name: 'lease_list',
  description:
    'List the named locks (leases) by key, and who holds each. Returns {leases, truncated}; a stale one has run out, and anyone may take it over with lease_acquire.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/leases',
  input: Type.Object(
    {
      prefix: Type.Optional(Type.String({ maxLength: 200, description: 'Only keys that begin with exactly this.' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, default: ROWS.default, description: `At most ${ROWS.max}; more is cut to it.` })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object(
    {
      leases: Type.Array(Type.Object({ ...Lease.properties, stale: Type.Boolean() }, { additionalProperties: false })),
      truncated: Type.Boolean({ description: 'More match than are returned: ask for a longer prefix.' }),
    },
    { additionalProperties: false },
  ),
  uses: { leases, atomically },
  handle: ({ prefix = '', limit = ROWS.default }, { leases, atomically }) =>
    // A transaction, for the store’s time: what is stale here is what an acquisition would find stale.
    atomically(async (tx) => {
      const where = prefix === '' ? {} : { key: { prefix } }
      const { items, nextCursor } = await leases.in(tx).find({ where, sort: { key: 1 }, limit: Math.min(limit, ROWS.max) })
      return { leases: items.map((lease) => ({ ...lease, stale: isStale(lease, tx.now) })), truncated: nextCursor !== undefined }
    }),
})

import { atomically, closed, defineTool, rowLimit, Type } from '@gateway/sdk'
import { leases } from '../collections.ts'
import { shown } from '../rules/shown.ts'
import { isStale } from '../rules/terms.ts'
import { Lease } from '../schema.ts'

const ROWS = rowLimit(200, 1_000)

export const leaseList = defineTool({
  name: 'lease_list',
  description:
    'List the named locks (leases) by key, and who holds each. Returns {leases, truncated}; a stale one has expired, and anyone may take it over with lease_acquire.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/leases',
  input: Type.Object(
    {
      prefix: Type.Optional(Type.String({ maxLength: 200, description: 'Only keys that begin with this.' })),
      limit: ROWS.argument,
    },
    closed,
  ),
  output: Type.Object(
    {
      leases: Type.Array(Type.Object({ ...Lease.properties, stale: Type.Boolean() }, closed)),
      truncated: Type.Boolean({ description: 'More match than are returned; use a longer prefix.' }),
    },
    closed,
  ),
  uses: { leases, atomically },
  handle: ({ prefix = '', limit }, { leases, atomically }) =>
    // Uses a transaction for the store's time, so that a lease is stale here exactly if an acquisition would find it stale.
    atomically(async (tx) => {
      const where = prefix === '' ? {} : { key: { prefix } }
      const { items, nextCursor } = await leases.in(tx).find({ where, sort: { key: 1 }, limit: ROWS.of(limit) })
      return { leases: items.map((lease) => ({ ...shown(lease), stale: isStale(lease, tx.now) })), truncated: nextCursor !== undefined }
    }),
})

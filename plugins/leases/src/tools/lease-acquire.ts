import { atomically, closed, defineTool, Type } from '@gateway/sdk'
import { leaseService } from '../api.ts'
import { checkMeta } from '../rules/meta.ts'
import { ownHolder } from '../rules/own-holder.ts'
import { holder, key, Lease, leaseSeconds, meta } from '../schema.ts'

export const leaseAcquire = defineTool({
  name: 'lease_acquire',
  description:
    'Take a named lock (lease) so that only one agent edits or does something at a time, also one that has run out under its holder; asking again extends the lease you hold. Pass its epoch to lease_heartbeat and lease_release, and its fence to what you write to. Returns {acquired: true, lease, tookOverFrom?} or {acquired: false, heldBy, leaseUntil}.',
  capability: 'work',
  effect: 'write',
  idempotent: true,
  rest: 'POST /api/leases/:key/acquire',
  input: Type.Object({ key, holder: Type.Optional(holder), leaseSeconds, meta }, closed),
  output: Type.Object(
    {
      acquired: Type.Boolean(),
      lease: Type.Optional(Lease),
      tookOverFrom: Type.Optional(Type.String({ description: 'Holder whose lease had expired.' })),
      heldBy: Type.Optional(Type.String()),
      leaseUntil: Type.Optional(Type.String({ description: 'Time at which the lease of heldBy expires, unless it is extended.' })),
    },
    closed,
  ),
  uses: { leases: leaseService, atomically },
  check: ({ meta }) => checkMeta(meta),
  async handle({ holder, ...request }, { leases, atomically }, { principal }) {
    const own = { ...request, ...ownHolder(holder, principal) }
    return atomically((tx) => leases.acquire(own, tx))
  },
})

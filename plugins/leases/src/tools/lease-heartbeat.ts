import { atomically, closed, defineTool, Type } from '@gateway/sdk'
import { leaseService } from '../api.ts'
import { ownHolder } from '../rules/own-holder.ts'
import { epoch, holder, key, Lease, leaseSeconds } from '../schema.ts'

export const leaseHeartbeat = defineTool({
  name: 'lease_heartbeat',
  description:
    'Extend a named lease that you hold; its epoch and fence stay. Returns {ok: true, lease}, or {ok: false, heldBy?} when it is lost: stop what you do under it.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/leases/:key/heartbeat',
  input: Type.Object({ key, holder: Type.Optional(holder), epoch, leaseSeconds }, closed),
  output: Type.Object({ ok: Type.Boolean(), lease: Type.Optional(Lease), heldBy: Type.Optional(Type.String()) }, closed),
  uses: { leases: leaseService, atomically },
  async handle({ holder, ...request }, { leases, atomically }, { principal }) {
    const own = { ...request, ...ownHolder(holder, principal) }
    return atomically((tx) => leases.heartbeat(own, tx))
  },
})

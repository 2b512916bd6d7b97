import { atomically, closed, defineTool, Type } from '@gateway/sdk'
import { leaseService } from '../api.ts'
import { epoch, holder, key, Lease, leaseSeconds } from '../schema.ts'

export const leaseHeartbeat = defineTool({
  name: 'lease_heartbeat',
  description:
    'Extend a named lease that you hold; its epoch and fence stay. Returns {ok: true, lease}, or {ok: false, heldBy?} when it is lost: stop what you do under it.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/leases/:key/heartbeat',
  input: Type.Object({ key, holder, epoch, leaseSeconds }, closed),
  output: Type.Object({ ok: Type.Boolean(), lease: Type.Optional(Lease), heldBy: Type.Optional(Type.String()) }, closed),
  uses: { leases: leaseService, atomically },
  handle: (request, { leases, atomically }) => atomically((tx) => leases.heartbeat(request, tx)),
})

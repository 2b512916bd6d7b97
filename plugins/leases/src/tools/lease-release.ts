import { atomically, closed, defineTool, Type } from '@gateway/sdk'
import { leaseService } from '../api.ts'
import { ownHolder } from '../rules/own-holder.ts'
import { epoch, holder, key } from '../schema.ts'

export const leaseRelease = defineTool({
  name: 'lease_release',
  description:
    'Give a named lease back. With force, the current holder loses it, which needs the capability configure; the epoch must match in any case. Returns {released}, false when nothing was released.',
  capability: 'work',
  effect: 'destructive',
  idempotent: true,
  rest: 'POST /api/leases/:key/release',
  input: Type.Object(
    {
      key,
      holder: Type.Optional(holder),
      epoch,
      force: Type.Optional(Type.Boolean({ default: false, description: 'true: release it even if another holds it.' })),
    },
    closed,
  ),
  output: Type.Object({ released: Type.Boolean() }, closed),
  uses: { leases: leaseService, atomically },
  async handle({ holder, force, ...given }, { leases, atomically }, ctx) {
    const request = { ...given, ...ownHolder(holder, ctx.principal) }
    if (force) ctx.require('configure')
    const { own, forced } = await atomically(async (tx) => {
      const own = await leases.release(request, tx)
      return { own, forced: own === undefined && force ? await leases.release({ ...request, force }, tx) : undefined }
    })
    if (forced) ctx.audit('lease.forced', { key: forced.key, holder: forced.holder, epoch: forced.epoch })
    return { released: (own ?? forced) !== undefined }
  },
})

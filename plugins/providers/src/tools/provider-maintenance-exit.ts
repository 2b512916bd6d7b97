import { closed, defineTool, Type } from '@gateway/sdk'
import { host } from '../operations/host.ts'
import { requireOperator } from '../operations/operator-only.ts'
import { healthOf } from '../operations/state.ts'
import { tell, tellUses } from '../operations/tell.ts'
import { PROVIDERS, ProviderHealth } from '../schema.ts'

export const providerMaintenanceExit = defineTool({
  name: 'provider_maintenance_exit',
  description:
    'Take a provider of models back from maintenance: the calls that waited for it go on. Only for the operator’s own tenant. Returns {exited, provider}: exited is false when it was in none.',
  capability: 'configure',
  effect: 'write',
  idempotent: true,
  input: Type.Object({ provider: Type.Enum(PROVIDERS) }, closed),
  output: Type.Object({ exited: Type.Boolean(), provider: ProviderHealth }, closed),
  uses: { ...tellUses, host },
  async handle({ provider }, refs, ctx) {
    requireOperator(ctx)
    const { host, shared, wide } = refs
    await shared.refresh(wide, ctx)
    const lane = host.lane(provider)
    const exited = lane.maintenance !== undefined
    const now = ctx.now()
    if (exited) {
      lane.maintenance = undefined
      // Earlier observations no longer apply.
      lane.reset(now.getTime())
      host.serve()
      await tell(refs, { provider, change: 'exited', at: now.toISOString() }, ctx)
    }
    return { exited, provider: healthOf(lane, host, now.getTime()) }
  },
})

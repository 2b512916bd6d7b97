import { closed, defineTool, Type } from '@gateway/sdk'
import { host } from '../operations/host.ts'
import { requireOperator } from '../operations/operator-only.ts'
import { healthOf } from '../operations/state.ts'
import { tell, tellUses } from '../operations/tell.ts'
import { PROVIDERS, ProviderHealth } from '../schema.ts'

export const providerReset = defineTool({
  name: 'provider_reset',
  description:
    'Close the tripped circuit breaker of a provider, for the whole gateway, so that calls go to it again at once. Only for the operator’s own tenant. Returns {reset, provider}: reset is false when it was in no trouble.',
  capability: 'configure',
  effect: 'write',
  idempotent: true,
  input: Type.Object({ provider: Type.Enum(PROVIDERS) }, closed),
  output: Type.Object({ reset: Type.Boolean(), provider: ProviderHealth }, closed),
  uses: { ...tellUses, host },
  async handle({ provider }, refs, ctx) {
    requireOperator(ctx)
    const { host } = refs
    const lane = host.lane(provider)
    const now = ctx.now()
    const reset = lane.reset(now.getTime())
    host.serve()
    await tell(refs, { provider, change: 'reset', at: now.toISOString() }, ctx)
    return { reset, provider: healthOf(lane, host, now.getTime()) }
  },
})

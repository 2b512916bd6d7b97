import { closed, defineTool, Type } from '@gateway/sdk'
import { pool } from '../operations/provider-pool.ts'
import { publishChange, publishUses } from '../operations/publish-change.ts'
import { healthOf } from '../operations/state.ts'
import { PROVIDERS, ProviderHealth } from '../schema.ts'

export const providerReset = defineTool({
  name: 'provider_reset',
  description:
    'Close the tripped circuit breaker of a provider, for the whole gateway, so that calls go to it again at once. Only for the operator’s own tenant. Returns {reset, provider}: reset is false when the breaker was not open.',
  capability: 'configure',
  localOnly: true,
  effect: 'write',
  idempotent: true,
  input: Type.Object({ provider: Type.Enum(PROVIDERS) }, closed),
  output: Type.Object({ reset: Type.Boolean(), provider: ProviderHealth }, closed),
  uses: { ...publishUses, pool },
  async handle({ provider }, refs, ctx) {
    const { pool } = refs
    const gate = pool.gate(provider)
    const now = ctx.now()
    const reset = gate.reset(now.getTime())
    pool.serve()
    await publishChange(refs, { provider, change: 'reset', at: now.toISOString() }, ctx)
    return { reset, provider: healthOf(gate, pool, now.getTime()) }
  },
})

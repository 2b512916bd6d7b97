import { closed, defineTool, Type } from '@gateway/sdk'
import { pool } from '../operations/provider-pool.ts'
import { publishChange, publishUses } from '../operations/publish-change.ts'
import { healthOf } from '../operations/state.ts'
import { PROVIDERS, ProviderHealth } from '../schema.ts'

export const providerMaintenanceExit = defineTool({
  name: 'provider_maintenance_exit',
  description:
    'Take a provider of models back from maintenance: the calls that waited for it continue. Only for the operator’s own tenant. Returns {exited, provider}: exited is false when it was not in maintenance.',
  capability: 'configure',
  localOnly: true,
  effect: 'write',
  idempotent: true,
  input: Type.Object({ provider: Type.Enum(PROVIDERS) }, closed),
  output: Type.Object({ exited: Type.Boolean(), provider: ProviderHealth }, closed),
  uses: { ...publishUses, pool },
  async handle({ provider }, refs, ctx) {
    const { pool, shared, wide } = refs
    await shared.refresh(wide, ctx)
    const gate = pool.gate(provider)
    const exited = gate.maintenance !== undefined
    const now = ctx.now()
    if (exited) {
      gate.maintenance = undefined
      // Earlier observations no longer apply.
      gate.reset(now.getTime())
      pool.serve()
      await publishChange(refs, { provider, change: 'exited', at: now.toISOString() }, ctx)
    }
    return { exited, provider: healthOf(gate, pool, now.getTime()) }
  },
})

import { callerName, closed, defined, defineTool, principalName, Type } from '@gateway/sdk'
import { pool } from '../operations/provider-pool.ts'
import { publishChange, publishUses } from '../operations/publish-change.ts'
import { healthOf } from '../operations/state.ts'
import { PROVIDERS, ProviderHealth } from '../schema.ts'

export const providerMaintenanceEnter = defineTool({
  name: 'provider_maintenance_enter',
  description:
    'Drain a provider of models, for the whole gateway: calls in progress finish, new ones go to the next in the chain or wait until provider_maintenance_exit. Only for the operator’s own tenant. Returns {provider}, whose status is draining, then maintenance.',
  capability: 'configure',
  localOnly: true,
  effect: 'write',
  idempotent: true,
  input: Type.Object(
    {
      provider: Type.Enum(PROVIDERS),
      reason: Type.Optional(Type.String({ maxLength: 500 })),
      operator: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Person or agent responsible. Default: you.' })),
    },
    closed,
  ),
  output: Type.Object({ provider: ProviderHealth }, closed),
  uses: { ...publishUses, pool },
  async handle({ provider, reason, operator }, refs, ctx) {
    const gate = refs.pool.gate(provider)
    const now = ctx.now()
    const maintenance = {
      since: gate.maintenance?.since ?? now.toISOString(),
      operator: operator ?? callerName(ctx.principal),
      operatorPrincipal: principalName(ctx.principal),
      ...defined({ reason }),
    }
    gate.maintenance = maintenance
    await publishChange(refs, { provider, change: 'entered', at: now.toISOString(), maintenance }, ctx)
    return { provider: healthOf(gate, refs.pool, now.getTime()) }
  },
})

import type { BudgetAdvice } from '@gateway/plugin-providers/api'
import { type CallContext, defined, type Resolved } from '@gateway/sdk'
import { meters } from '../collections.ts'
import { config } from '../config.ts'
import { capsFor, worst } from '../rules/caps.ts'
import type { Scope } from '../rules/scope.ts'

export const adviseUses = { meters, config }
type Refs = Resolved<typeof adviseUses>

/** Calls go to the next cheaper tier once `downgradeAt` of any cap is reached. */
export async function advise({ meters, config }: Refs, scope: Scope, ctx: CallContext): Promise<BudgetAdvice> {
  const caps = config.enabled ? capsFor(config, ctx.now(), scope) : []
  if (caps.length === 0) return { downgrade: false }
  const found = await meters.getMany([...new Set(caps.map(({ meterId }) => meterId))])
  const { state, reason } = worst(caps, new Map(found.map((meter) => [meter.meterId, meter])), config.downgradeAt)
  return { downgrade: state !== 'ok', ...defined({ reason }) }
}

import type { CallContext, Resolved } from '@gateway/sdk'
import { meters } from '../collections.ts'
import { config } from '../config.ts'
import { capsFor, meterIn, reached } from '../rules/caps.ts'
import { nanosOf } from '../rules/money.ts'
import type { Scope } from '../rules/scope.ts'
import { running } from '../services/running.ts'
import { refusalOf } from './reserve.ts'

export const runningUses = { meters, config, running }

/**
 * Throws BUDGET_EXCEEDED once running calls have reached a cap with what they have cost so far: those of this process exactly, those of other
 * nodes as they are on record. Holds are left out: they are greatest prices, and would end calls that never cost that much.
 */
export async function checkRunning(
  { meters, config, running }: Resolved<typeof runningUses>,
  { callId, costUsd }: { readonly callId: string; readonly costUsd: number },
  scope: Scope,
  ctx: CallContext,
): Promise<void> {
  const caps = capsFor(config, ctx.now(), scope)
  if (caps.length === 0) return
  const ids = [...new Set(caps.map(({ meterId }) => meterId))]
  const ofTenant = (meterId: string): string => `${ctx.tenantId} ${meterId}`
  running.costs.update(callId, ids.map(ofTenant), nanosOf(costUsd))
  const found = new Map((await meters.getMany(ids)).map((meter) => [meter.meterId, meter]))
  const elsewhere = (id: string): number => Math.max(0, (found.get(id)?.runningNanos ?? 0) - running.recorded.of(ofTenant(id)))
  const costOf = (id: string): number => meterIn(found, id).spentNanos + elsewhere(id) + running.costs.of(ofTenant(id))
  const known = new Map(ids.map((id) => [id, { spentNanos: costOf(id), heldNanos: 0 }]))
  const cap = reached(caps, known)
  if (cap) throw refusalOf(cap, meterIn(known, cap.meterId))
}

import type { CallContext, Resolved } from '@gateway/sdk'
import { meters } from '../collections.ts'
import { config } from '../config.ts'
import { capsFor, meterIn, reached } from '../rules/caps.ts'
import { nanosOf } from '../rules/money.ts'
import type { Scope } from '../rules/scope.ts'
import { refusalOf } from './reserve.ts'

export const runningUses = { meters, config }

/**
 * Throws BUDGET_EXCEEDED once a running call has reached a cap with what it has cost so far. Holds of other calls are left out: they are
 * greatest prices, and the calls are checked in the same way.
 */
export async function checkRunning(
  { meters, config }: Resolved<typeof runningUses>,
  costUsd: number,
  scope: Scope,
  ctx: CallContext,
): Promise<void> {
  const caps = capsFor(config, ctx.now(), scope)
  if (caps.length === 0) return
  const found = await meters.getMany([...new Set(caps.map(({ meterId }) => meterId))])
  const spent = new Map(found.map((meter) => [meter.meterId, { ...meter, heldNanos: 0 }]))
  const running = new Map(
    caps.map(({ meterId }) => [meterId, { spentNanos: meterIn(spent, meterId).spentNanos + nanosOf(costUsd), heldNanos: 0 }]),
  )
  const cap = reached(caps, running)
  if (cap) throw refusalOf(cap, meterIn(running, cap.meterId))
}

import { BudgetExceeded, type PlannedSpend } from '@gateway/plugin-providers/api'
import { atomically, type Resolved, type Transaction } from '@gateway/sdk'
import { meters, reservations } from '../collections.ts'
import { config } from '../config.ts'
import { type Cap, capsFor, meterIn, reached } from '../rules/caps.ts'
import { allMeters } from '../rules/meters.ts'
import { nanosOf, usdOf } from '../rules/money.ts'
import type { Scope } from '../rules/scope.ts'
import { releaseExpired } from './release.ts'

export const reserveUses = { meters, reservations, atomically, config }
type Refs = Resolved<typeof reserveUses>

/**
 * Holds the greatest price of a call against every cap, or throws BUDGET_EXCEEDED: each of several concurrent calls sees the
 * holds of the others.
 */
export async function reserve(refs: Refs, { callId, maxCostUsd }: PlannedSpend, scope: Scope): Promise<void> {
  const { atomically, config } = refs
  // Without caps, nothing is held.
  if (capsFor(config, new Date(0), scope).length === 0) return
  const nanos = nanosOf(maxCostUsd)
  await atomically(async (tx) => {
    const meters = refs.meters.in(tx)
    const held = allMeters(tx.now, scope)
    const caps = capsFor(config, tx.now, scope)
    const cap = await firstReached(refs, caps, tx)
    if (cap) throw cap
    const since = tx.now.toISOString()
    for (const meter of held) await meters.upsert({ ...meter, spentNanos: 0, heldNanos: nanos, since }, { inc: { heldNanos: nanos } })
    const expiresAt = new Date(tx.now.getTime() + config.reservationMinutes * 60_000).toISOString()
    await refs.reservations.in(tx).insert({ callId, meterIds: held.map(({ meterId }) => meterId), nanos, expiresAt })
  })
}

/** The refusal, if a cap is reached even without the holds of dead processes. */
async function firstReached(refs: Refs, caps: readonly Cap[], tx: Transaction): Promise<Error | undefined> {
  const look = async () => {
    const found = await refs.meters.in(tx).getMany([...new Set(caps.map(({ meterId }) => meterId))])
    const byId = new Map(found.map((meter) => [meter.meterId, meter]))
    const cap = reached(caps, byId)
    return cap && { cap, meter: meterIn(byId, cap.meterId) }
  }
  if (caps.length === 0) return undefined
  let refused = await look()
  if (refused && (await releaseExpired(refs, tx)) > 0) refused = await look()
  return refused && refusalOf(refused.cap, refused.meter)
}

export function refusalOf({ name, capUsd, resetsAt }: Cap, { spentNanos, heldNanos }: ReturnType<typeof meterIn>): Error {
  return BudgetExceeded({ cap: name, capUsd, spentUsd: usdOf(spentNanos), heldUsd: usdOf(heldNanos), resetsAt })
}

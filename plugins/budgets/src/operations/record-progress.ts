import type { CoveredSpend } from '@gateway/plugin-providers/api'
import { atomically, type Resolved } from '@gateway/sdk'
import { meters, reservations } from '../collections.ts'
import { config } from '../config.ts'
import { nanosOf } from '../rules/money.ts'
import { expiryOf } from './reserve.ts'

export const progressUses = { meters, reservations, atomically, config }
type Refs = Resolved<typeof progressUses>

/** Writes down the cost that a running call has reached, for the nodes that share its caps and for the case that its process dies. */
export async function recordProgress(refs: Refs, callId: string, covered: CoveredSpend): Promise<void> {
  const { inputTokens, outputTokens, costUsd, priced } = covered
  const runningNanos = nanosOf(costUsd)
  await refs.atomically(async (tx) => {
    const held = await refs.reservations.in(tx).get(callId)
    if (!held?.pending || held.chargedAt !== undefined) return
    const pending = { ...held.pending, inputTokens, outputTokens, priced }
    await refs.reservations.in(tx).updateOne(callId, { set: { pending, runningNanos, expiresAt: expiryOf(refs, tx.now) } })
    const inc = { runningNanos: runningNanos - (held.runningNanos ?? 0) }
    for (const meterId of held.meterIds) await refs.meters.in(tx).updateOne(meterId, { inc })
  })
}

/** Extends the life of a reservation. One that has expired meanwhile stays charged until its call ends. */
export async function renew(refs: Refs, callId: string): Promise<void> {
  await refs.atomically(async (tx) => {
    const set = { expiresAt: expiryOf(refs, tx.now) }
    await refs.reservations.in(tx).updateOne(callId, { set }, { chargedAt: { exists: false } })
  })
}

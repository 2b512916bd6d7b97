import { defined, now, type Resolved, type Transaction } from '@gateway/sdk'
import { usdOf } from '../rules/money.ts'
import type { Held, PendingCall } from '../schema.ts'
import { releaseHeld } from './release.ts'
import { settleUses, writeDown } from './settle.ts'

export const chargeLostUses = settleUses
type Refs = Resolved<typeof chargeLostUses>

/** Size of one transaction; the next call, or the next run, continues. */
const BATCH = 20
/** Time in which a call that seemed lost, because its process was paused, can still end and correct its estimate. */
const CORRECTED_WITHIN_MS = 86_400_000

/** Charges the calls of dead processes with the cost on record, and releases what they held. Returns the number of expired reservations. */
export async function chargeLost(refs: Refs, tx: Transaction): Promise<number> {
  const expired = { where: { expiresAt: { lte: now() } }, sort: { expiresAt: 1 }, limit: BATCH } as const
  const { items } = await refs.reservations.in(tx).find(expired)
  for (const held of items) {
    if (held.pending && held.chargedAt === undefined) await charge(refs, held, held.pending, tx)
    else await refs.reservations.in(tx).deleteOne(held.callId)
    await releaseHeld(refs, held, tx)
  }
  return items.length
}

async function charge(refs: Refs, { callId, runningNanos = 0 }: Held, pending: PendingCall, tx: Transaction): Promise<void> {
  const { provider, model, tier, member, channel, agent, taskId, key, task, swarm, tenantId, plan, ...tokens } = pending
  const named = { callId, provider, model, tier, member, channel, ...defined({ agent, taskId }) }
  const paid = { ...named, ...tokens, estimated: true, costUsd: usdOf(runningNanos), outcome: 'lost' } as const
  const { createdAt } = await writeDown(refs, paid, { channel, key, agent, task, swarm, model, tenantId, plan }, tx)
  const expiresAt = new Date(tx.now.getTime() + CORRECTED_WITHIN_MS).toISOString()
  const set = { meterIds: [], nanos: 0, chargedAt: createdAt, expiresAt }
  await refs.reservations.in(tx).updateOne(callId, { set, unset: ['runningNanos'] })
}

import { atomically, type Resolved, type Transaction } from '@gateway/sdk'
import { meters, reservations, spend, sums } from '../collections.ts'
import type { Held } from '../schema.ts'
import { withdraw } from './withdraw.ts'

const releaseUses = { meters, reservations, spend, sums, atomically }
type Refs = Omit<Resolved<typeof releaseUses>, 'atomically'>

/**
 * Removes a reservation and its hold. The estimate of a call that seemed lost is withdrawn. A reservation that is gone already held
 * nothing any more.
 */
export async function release(refs: Refs, callId: string, tx: Transaction): Promise<void> {
  const held = await refs.reservations.in(tx).deleteOne(callId)
  if (!held) return
  await releaseHeld(refs, held, tx)
  if (held.chargedAt !== undefined) await withdraw(refs, held, tx)
}

export async function releaseHeld({ meters }: Pick<Refs, 'meters'>, held: Held, tx: Transaction): Promise<void> {
  const { meterIds, nanos, runningNanos = 0 } = held
  for (const meterId of meterIds) await meters.in(tx).updateOne(meterId, { inc: { heldNanos: -nanos, runningNanos: -runningNanos } })
}

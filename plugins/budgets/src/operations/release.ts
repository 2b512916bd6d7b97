import { atomically, type Infer, now, type Resolved, type Transaction } from '@gateway/sdk'
import { meters, reservations } from '../collections.ts'
import type { reservationSchema } from '../schema.ts'

export const releaseUses = { meters, reservations, atomically }
type Refs = Pick<Resolved<typeof releaseUses>, 'meters' | 'reservations'>
type Held = Infer<typeof reservationSchema>

/** Size of one transaction; the next call, or the next run, continues. */
const BATCH = 100

/** Removes a reservation and its hold. One that is gone already held nothing any more. */
export async function release(refs: Refs, callId: string, tx: Transaction): Promise<void> {
  const held = await refs.reservations.in(tx).deleteOne(callId)
  if (held) await releaseHeld(refs, held, tx)
}

/** Releases reservations of dead processes, which nobody will ever settle. Returns their number. */
export async function releaseExpired(refs: Refs, tx: Transaction): Promise<number> {
  const { items } = await refs.reservations.in(tx).find({ where: { expiresAt: { lte: now() } }, sort: { expiresAt: 1 }, limit: BATCH })
  for (const { callId } of items) await release(refs, callId, tx)
  return items.length
}

async function releaseHeld({ meters }: Refs, { meterIds, nanos }: Held, tx: Transaction): Promise<void> {
  for (const meterId of meterIds) await meters.in(tx).updateOne(meterId, { inc: { heldNanos: -nanos } })
}

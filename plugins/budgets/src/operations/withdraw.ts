import type { Resolved, Transaction } from '@gateway/sdk'
import type { meters, spend, sums } from '../collections.ts'
import { allMeters, dayOf } from '../rules/meters.ts'
import type { Held } from '../schema.ts'
import { addUp } from './add-up.ts'

/** Takes back the estimate of a call that seemed lost: its row, and its part of the sums and meters. */
export async function withdraw(
  refs: Resolved<{ spend: typeof spend; sums: typeof sums; meters: typeof meters }>,
  { chargedAt = '', pending }: Held,
  tx: Transaction,
): Promise<void> {
  const row = await refs.spend.in(tx).deleteOne(chargedAt)
  if (!row) return
  const charged = new Date(chargedAt)
  for (const { meterId } of allMeters(charged, pending ?? {})) {
    await refs.meters.in(tx).updateOne(meterId, { inc: { spentNanos: -row.nanos } })
  }
  await addUp(refs.sums.in(tx), row, dayOf(charged), -1)
}

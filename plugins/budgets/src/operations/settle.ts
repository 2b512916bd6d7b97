import type { Spend } from '@gateway/plugin-providers/api'
import { atomically, defined, type Resolved, type Transaction } from '@gateway/sdk'
import { lastRow, meters, reservations, spend, sums } from '../collections.ts'
import { allMeters, dayOf } from '../rules/meters.ts'
import { nanosOf } from '../rules/money.ts'
import type { Scope } from '../rules/scope.ts'
import { nextTime } from '../rules/spend-time.ts'
import type { SpendRow } from '../schema.ts'
import { addUp } from './add-up.ts'
import { type Metered, newsUses, publishCaps } from './news.ts'
import { release } from './release.ts'

export const settleUses = { spend, sums, meters, reservations, lastRow, atomically, ...newsUses }
type Refs = Resolved<typeof settleUses>

/**
 * Records the cost of a call: the row, the sums and the meters are written and its reservation is removed, all together or not at
 * all.
 */
export async function settle(refs: Refs, paid: Spend, scope: Scope): Promise<void> {
  await refs.atomically(async (tx) => {
    await release(refs, paid.callId, tx)
    await writeDown(refs, paid, scope, tx)
  })
}

/** Spending as a family or an outside program reports it. */
export type Written = Omit<Spend, 'provider' | 'tier' | 'outcome'> & {
  readonly provider: string
  readonly tier: string
  readonly outcome: SpendRow['outcome']
  readonly account?: string
}

/** Adds spending to the rows, the sums and the meters, in the caller's transaction. Returns its row. */
export async function writeDown(refs: Refs, paid: Written, scope: Scope, tx: Transaction): Promise<SpendRow> {
  const createdAt = await takeTime(refs, tx)
  const row = rowOf(paid, scope.swarm, createdAt.toISOString())
  await refs.spend.in(tx).insert(row)
  const metered: Metered[] = []
  for (const of of allMeters(createdAt, scope)) {
    const { meterId } = of
    const meter = { ...of, spentNanos: row.nanos, heldNanos: 0, since: row.createdAt }
    const { spentNanos } = await refs.meters.in(tx).upsert(meter, { inc: { spentNanos: row.nanos } })
    metered.push({ meterId, spentNanos, addedNanos: row.nanos })
  }
  await publishCaps(refs, { metered, scope, time: createdAt }, tx)
  await addUp(refs.sums.in(tx), row, dayOf(createdAt))
  return row
}

/** A time that no other row of the tenant has. */
async function takeTime({ spend, lastRow }: Refs, tx: Transaction): Promise<Date> {
  const last = await lastRow.in(tx).get('last')
  let ms = nextTime(tx.now.getTime(), last?.ms)
  // Free at once, unless the clock was set back or forward in between.
  while (await spend.in(tx).get(new Date(ms).toISOString())) ms++
  await lastRow.in(tx).upsert({ name: 'last', ms }, { set: { ms } })
  return new Date(ms)
}

function rowOf(
  { callId, provider, model, tier, agent, channel, member, ...paid }: Written,
  swarmId: string | undefined,
  createdAt: string,
): SpendRow {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, estimated, priced, costUsd, outcome, taskId, account } = paid
  const named = { createdAt, callId, provider, model, tier, ...defined({ agent, taskId, swarmId, account }), channel, member }
  const tokens = { inputTokens, outputTokens, ...defined({ cacheReadTokens, cacheWriteTokens }) }
  return { ...named, ...tokens, estimated, priced, nanos: nanosOf(costUsd), outcome }
}

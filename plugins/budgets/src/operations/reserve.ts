import { BudgetExceeded, type PlannedSpend } from '@gateway/plugin-providers/api'
import { defined, type Resolved, type Transaction } from '@gateway/sdk'
import { type Cap, capsFor, meterIn, reached } from '../rules/caps.ts'
import { allMeters } from '../rules/meters.ts'
import { nanosOf, usdOf } from '../rules/money.ts'
import type { Scope } from '../rules/scope.ts'
import type { Held, PendingCall } from '../schema.ts'
import { chargeLost, chargeLostUses } from './charge-lost.ts'

export const reserveUses = chargeLostUses
type Refs = Resolved<typeof reserveUses>

/**
 * Holds the greatest price of a call against every cap, or throws BUDGET_EXCEEDED: each of several concurrent calls sees the
 * holds of the others. `onHeld` receives the meters before the others see the hold.
 */
export async function reserve(
  refs: Refs,
  planned: PlannedSpend,
  scope: Scope,
  onHeld: (meterIds: readonly string[]) => void,
): Promise<void> {
  const nanos = nanosOf(planned.maxCostUsd)
  const runningNanos = nanosOf(planned.covered.costUsd)
  await refs.atomically(async (tx) => {
    const held = allMeters(tx.now, scope)
    const cap = await firstReached(refs, capsFor(refs.config, tx.now, scope), tx)
    if (cap) throw cap
    const since = tx.now.toISOString()
    const inc = { heldNanos: nanos, runningNanos }
    for (const meter of held) await refs.meters.in(tx).upsert({ ...meter, spentNanos: 0, ...inc, since }, { inc })
    const meterIds = held.map(({ meterId }) => meterId)
    await keep(refs, planned, scope, { meterIds, nanos, runningNanos }, tx)
    onHeld(meterIds)
  })
}

/** Keeps what a call is charged with if its process dies, without a hold: no cap applies to it. */
export async function keepOnly(refs: Refs, planned: PlannedSpend, scope: Scope): Promise<void> {
  const runningNanos = nanosOf(planned.covered.costUsd)
  await refs.atomically((tx) => keep(refs, planned, scope, { meterIds: [], nanos: 0, runningNanos }, tx))
}

type Amounts = Pick<Held, 'meterIds' | 'nanos' | 'runningNanos'>

async function keep(refs: Refs, planned: PlannedSpend, scope: Scope, amounts: Amounts, tx: Transaction): Promise<void> {
  const pending = pendingOf(planned, scope)
  await refs.reservations.in(tx).insert({ callId: planned.callId, ...amounts, pending, expiresAt: expiryOf(refs, tx.now) })
}

export const expiryOf = ({ config }: Pick<Refs, 'config'>, time: Date): string =>
  new Date(time.getTime() + config.reservationMinutes * 60_000).toISOString()

function pendingOf({ provider, tier, member, taskId, covered, ...planned }: PlannedSpend, scope: Scope): PendingCall {
  const { key, agent, task, swarm, tenantId, plan } = scope
  const { channel, model } = planned
  const { inputTokens, outputTokens, priced } = covered
  const named = defined({ agent, taskId, key, task, swarm, tenantId, plan })
  return { provider, model, tier, member, channel, ...named, inputTokens, outputTokens, priced }
}

/** The refusal, if a cap is reached even without the holds of dead processes. */
async function firstReached(refs: Refs, caps: readonly Cap[], tx: Transaction): Promise<Error | undefined> {
  const look = async () => {
    const found = await refs.meters.in(tx).getMany([...new Set(caps.map(({ meterId }) => meterId))])
    const byId = new Map(found.map((meter) => [meter.meterId, meter]))
    const cap = reached(caps, byId)
    return cap && { cap, meter: meterIn(byId, cap.meterId) }
  }
  let refused = await look()
  if (refused && (await chargeLost(refs, tx)) > 0) refused = await look()
  return refused && refusalOf(refused.cap, refused.meter)
}

export function refusalOf({ name, capUsd, resetsAt }: Cap, { spentNanos, heldNanos }: ReturnType<typeof meterIn>): Error {
  return BudgetExceeded({ cap: name, capUsd, spentUsd: usdOf(spentNanos), heldUsd: usdOf(heldNanos), resetsAt })
}

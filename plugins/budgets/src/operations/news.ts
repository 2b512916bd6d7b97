import { closed, defineEvent, type Resolved, type Transaction, Type } from '@gateway/sdk'
import { config } from '../config.ts'
import { type Cap, capsFor } from '../rules/caps.ts'
import { crossed } from '../rules/crossed.ts'
import { usdOf } from '../rules/money.ts'
import type { Scope } from '../rules/scope.ts'

const about = Type.Object(
  {
    cap: Type.String({ description: 'Name of the cap in the settings.' }),
    capUsd: Type.Number(),
    spentUsd: Type.Number(),
    resetsAt: Type.String(),
    at: Type.String(),
  },
  closed,
)

export const budgetNear = defineEvent('budgets.near', about, {
  public: 'Spending on models passed the share of a cap from which calls use a cheaper tier. Sent once in the period of the cap.',
})
export const budgetReached = defineEvent('budgets.reached', about, {
  public: 'Spending on models reached a cap: calls are refused until it resets or is raised. Sent once in the period of the cap.',
})

export const newsUses = { near: budgetNear, reached: budgetReached, config }

export interface Metered {
  readonly meterId: string
  readonly spentNanos: number
  readonly addedNanos: number
}

/** Tells of the caps that a call passed, in the transaction of its cost. */
export async function publishCaps(
  { near, reached, config }: Resolved<typeof newsUses>,
  { metered, scope, time }: { readonly metered: readonly Metered[]; readonly scope: Scope; readonly time: Date },
  tx: Transaction,
): Promise<void> {
  for (const cap of capsFor(config, time, scope)) {
    const meter = metered.find(({ meterId }) => meterId === cap.meterId)
    if (!meter) continue
    const line = crossed(cap, meter.spentNanos - meter.addedNanos, meter.spentNanos, config.downgradeAt)
    if (line) await (line === 'cap' ? reached : near).emit(newsOf(cap, meter, tx), tx)
  }
}

const newsOf = ({ name, capUsd, resetsAt }: Cap, { spentNanos }: Metered, tx: Transaction) => ({
  cap: name,
  capUsd,
  spentUsd: usdOf(spentNanos),
  resetsAt,
  at: tx.now.toISOString(),
})

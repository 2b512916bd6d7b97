import { runnerAddresses } from '@gateway/plugin-runners/api'
import type { Task } from '@gateway/plugin-tasks/api'
import { type CallContext, defined, optional, type Resolved, SwitchedOff } from '@gateway/sdk'
import { dispatchBudget, dispatchCycled } from '../api.ts'
import { refusalOf } from '../rules/budget.ts'
import { receiverOf } from '../rules/receiver.ts'
import { candidates, candidatesHere, candidateUses, stands } from './candidates.ts'
import type { Dispatched } from './dispatched.ts'
import { offer } from './offers.ts'
import { reservedHere } from './reserved.ts'
import { plannedRun, runHere } from './run-here.ts'

export const cycleUses = {
  ...candidateUses,
  addresses: optional(runnerAddresses),
  budgets: dispatchBudget,
  cycled: dispatchCycled,
}
type Refs = Resolved<typeof cycleUses>

export interface Cycle {
  readonly maxTasks: number
  readonly dailySpendCapUsd?: number | undefined
  readonly chatId?: string | undefined
  /** Leaves all other tasks alone: none is offered. */
  readonly onlyHere?: boolean | undefined
  /** With `onlyHere`: leaves tasks alone that were changed within this time. */
  readonly settledSeconds?: number | undefined
}

/** A cycle: the first tasks of the queue that are not on offer already are executed by their agents, or offered by mail. */
export async function runCycle(
  refs: Refs,
  { maxTasks, dailySpendCapUsd, chatId, onlyHere = false, settledSeconds = 0 }: Cycle,
  ctx: CallContext,
): Promise<{ dispatched: Dispatched[]; waitingForRunner: number; reason?: string }> {
  let reason = (await refs.queue.closed()) ?? (await overBudget(refs, dailySpendCapUsd))
  const dispatched: Dispatched[] = []
  if (reason === undefined) {
    const live = onlyHere ? [] : ((await refs.addresses?.live()) ?? [])
    const offering = { to: (task: Task) => receiverOf(task, live), stands: (offeredAt: string, at: Date) => stands(refs, offeredAt, at) }
    const { tasks, waitingForModel } = onlyHere
      ? await candidatesHere(refs, { wanted: maxTasks, settledSeconds }, ctx)
      : await candidates(refs, maxTasks, live, ctx)
    let waiting = waitingForModel
    for (const task of tasks) {
      if (dispatched.length === maxTasks || ctx.signal.aborted) break
      const planned = await plannedRun(refs, task, ctx)
      if (planned === 'later') {
        waiting++
        continue
      }
      if (onlyHere && !planned) continue
      // Spending of the previous tasks counts.
      if (planned && dispatched.length > 0) reason = await overBudget(refs, dailySpendCapUsd)
      if (reason !== undefined) break
      const one = planned
        ? await runHere(refs, planned, task, () => overBudget(refs, dailySpendCapUsd), ctx)
        : await offer(refs, task, offering)
      if (one) dispatched.push(one)
    }
    if (dispatched.length === 0) reason ??= waitReason(waiting)
  }
  // A cycle that did nothing is reported only to a chat that asked for it.
  const chat = chatId ?? (dispatched.length > 0 || (reason !== undefined && !onlyHere) ? refs.config.defaultChatId : undefined)
  refs.cycled.emit({
    ...defined({ chatId: chat }),
    dispatched: dispatched.map(({ taskId, title, to }) => ({ taskId, title, to })),
    ...defined({ reason }),
  })
  return { dispatched, waitingForRunner: await refs.queue.countReady([reservedHere(refs.runners)]), ...defined({ reason }) }
}

function waitReason(waiting: number): string | undefined {
  if (waiting === 0) return undefined
  const wait = waiting === 1 ? '1 task waits' : `${waiting} tasks wait`
  return `${wait} for a model: no provider takes calls of their agents now, because it is in maintenance or rests after failures.`
}

export async function overBudget({ budgets }: Pick<Refs, 'budgets'>, dailySpendCapUsd: number | undefined): Promise<string | undefined> {
  if (dailySpendCapUsd !== undefined && budgets.length === 0) {
    throw SwitchedOff({
      message: '`dailySpendCapUsd` cannot be enforced: no running plugin counts today’s spend. Omit it, or enable the plugin budgets.',
      setting: 'plugins.budgets',
    })
  }
  return refusalOf(await Promise.all(budgets.map((budget) => budget.check())), dailySpendCapUsd)
}

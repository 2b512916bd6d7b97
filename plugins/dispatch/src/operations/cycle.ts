import { type Reachable, runnerAddresses } from '@gateway/plugin-runners/api'
import type { Task } from '@gateway/plugin-tasks/api'
import { type CallContext, defined, optional, type Resolved, SwitchedOff } from '@gateway/sdk'
import { dispatchBudget, dispatchCycled } from '../api.ts'
import { config } from '../config.ts'
import { refusalOf } from '../rules/budget.ts'
import { receiverOf } from '../rules/receiver.ts'
import type { Dispatched } from './dispatched.ts'
import { offer, offerUses } from './offers.ts'
import { plannedRun, runHere, runHereUses } from './run-here.ts'

export const cycleUses = {
  ...runHereUses,
  ...offerUses,
  addresses: optional(runnerAddresses),
  budgets: dispatchBudget,
  cycled: dispatchCycled,
  config,
}
type Refs = Resolved<typeof cycleUses>

const FARTHEST = 5_000
/**
 * Depth of a cycle's search in the queue: greater if everything seen first has been offered already, for example to an agent that
 * is gone.
 */
const LOOKS = [200, FARTHEST]

export interface Cycle {
  readonly maxTasks: number
  readonly dailySpendCapUsd: number | undefined
  readonly chatId: string | undefined
}

/** A cycle: the first tasks of the queue that are not on offer already are executed by their agents, or offered by mail. */
export async function runCycle(
  refs: Refs,
  { maxTasks, dailySpendCapUsd, chatId }: Cycle,
  ctx: CallContext,
): Promise<{ dispatched: Dispatched[]; waitingForRunner: number; reason?: string }> {
  let reason = (await refs.queue.closed()) ?? (await overBudget(refs, dailySpendCapUsd))
  const dispatched: Dispatched[] = []
  if (reason === undefined) {
    const live = (await refs.addresses?.live()) ?? []
    const offering = { to: (task: Task) => receiverOf(task, live), stands: (offeredAt: string, at: Date) => stands(refs, offeredAt, at) }
    for (const task of await candidates(refs, maxTasks, live, ctx)) {
      if (dispatched.length === maxTasks || ctx.signal.aborted) break
      const planned = await plannedRun(refs, task)
      // Spending of the previous tasks counts.
      if (planned && dispatched.length > 0) reason = await overBudget(refs, dailySpendCapUsd)
      if (reason !== undefined) break
      const one = planned
        ? await runHere(refs, planned, task, () => overBudget(refs, dailySpendCapUsd), ctx)
        : await offer(refs, task, offering)
      if (one) dispatched.push(one)
    }
  }
  // A cycle that did nothing is reported only to a chat that asked for it.
  const chat = chatId ?? (dispatched.length > 0 || reason !== undefined ? refs.config.defaultChatId : undefined)
  refs.cycled.emit({
    ...defined({ chatId: chat }),
    dispatched: dispatched.map(({ taskId, title, to }) => ({ taskId, title, to })),
    ...defined({ reason }),
  })
  return { dispatched, waitingForRunner: await waitingForRunner(refs), ...defined({ reason }) }
}

/** Claimable tasks without those of agents that run here; each count stops at 10,000. */
async function waitingForRunner({ queue, runners }: Refs): Promise<number> {
  const here = (await Promise.all(runners.map((runner) => runner.agents()))).flat()
  const [all, local] = await Promise.all([queue.countReady(), here.length === 0 ? 0 : queue.countReady(here)])
  return Math.max(0, all - local)
}

async function overBudget({ budgets }: Refs, dailySpendCapUsd: number | undefined): Promise<string | undefined> {
  if (dailySpendCapUsd !== undefined && budgets.length === 0) {
    throw SwitchedOff({
      message: '`dailySpendCapUsd` cannot be enforced: no running plugin counts today’s spend. Omit it, or enable the plugin budgets.',
      setting: 'plugins.budgets',
    })
  }
  return refusalOf(await Promise.all(budgets.map((budget) => budget.check())), dailySpendCapUsd)
}

/**
 * Tasks that may be offered, in order: first those never offered, in queue order, then those that nobody took, oldest offer
 * first. Otherwise tasks of an agent that is gone would be offered again and again, and those behind them never.
 */
async function candidates(refs: Refs, wanted: number, live: readonly Reachable[], ctx: CallContext): Promise<Task[]> {
  const { scheduleIgnoreRepos } = refs.config
  const ignored = new Set([...scheduleIgnoreRepos, ...(await Promise.all(scheduleIgnoreRepos.map((repo) => refs.queue.repoName(repo))))])
  for (const limit of LOOKS) {
    const ready = await refs.queue.ready({ limit })
    const taken = ready.filter((task) => receiverOf(task, live) !== undefined && !ignored.has(task.repo))
    const tasks = new Map(taken.map((task) => [task.taskId, task]))
    const where = { taskId: { in: [...tasks.keys()] } }
    const offered = (await refs.offers.find({ where, sort: { offeredAt: 1 }, limit: FARTHEST })).items
    const again = offered.filter(({ offeredAt }) => !stands(refs, offeredAt, ctx.now())).map(({ taskId }) => tasks.get(taskId) as Task)
    for (const { taskId } of offered) tasks.delete(taskId)
    if (tasks.size >= wanted || ready.length < limit || limit === FARTHEST) return [...tasks.values(), ...again]
  }
  return []
}

const stands = ({ config }: Refs, offeredAt: string, at: Date): boolean =>
  offeredAt > new Date(at.getTime() - config.reofferMinutes * 60_000).toISOString()

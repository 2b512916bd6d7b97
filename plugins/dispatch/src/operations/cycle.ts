import { isAddress, mailbox, parseAddress } from '@gateway/plugin-mailbox/api'
import { type Task, taskQueue } from '@gateway/plugin-tasks/api'
import { atomically, type CallContext, defined, type Resolved, SwitchedOff } from '@gateway/sdk'
import { dispatchBudget, dispatchCycled } from '../api.ts'
import { offers } from '../collections.ts'
import { config } from '../config.ts'
import { refusalOf } from '../rules/budget.ts'
import type { Ending } from '../rules/ending.ts'
import { plannedRun, runHere, runHereUses } from './run-here.ts'

export const cycleUses = {
  ...runHereUses,
  queue: taskQueue,
  mail: mailbox,
  offers,
  budgets: dispatchBudget,
  cycled: dispatchCycled,
  atomically,
  config,
}
type Refs = Resolved<typeof cycleUses>

const SENDER = 'dispatch'
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

export interface Dispatched {
  readonly taskId: string
  readonly title: string
  readonly to: string
  /** Id of the mail that offers it. */
  readonly messageId?: string
  /** Outcome of a task that an agent of the gateway has executed. */
  readonly outcome?: Ending['outcome']
  readonly error?: string
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
    for (const task of await candidates(refs, maxTasks, ctx)) {
      if (dispatched.length === maxTasks || ctx.signal.aborted) break
      const planned = await plannedRun(refs, task)
      // Spending of the previous tasks counts.
      if (planned && dispatched.length > 0) reason = await overBudget(refs, dailySpendCapUsd)
      if (reason !== undefined) break
      const one = planned ? await runHere(refs, planned, task, () => overBudget(refs, dailySpendCapUsd), ctx) : await offer(refs, task)
      if (one) dispatched.push(one)
    }
  }
  const told = chatId ?? refs.config.defaultChatId
  refs.cycled.emit({
    ...defined({ chatId: told }),
    dispatched: dispatched.map(({ taskId, title, to }) => ({ taskId, title, to })),
    ...defined({ reason }),
  })
  return { dispatched, waitingForRunner: await waitingForRunner(refs), ...defined({ reason }) }
}

/** Claimable tasks without those of agents that run here; each count stops at 10,000. */
async function waitingForRunner({ queue, runners }: Refs): Promise<number> {
  const here = (await Promise.all(runners.map((runner) => runner.agents()))).flat()
  const [all, ours] = await Promise.all([queue.countReady(), here.length === 0 ? 0 : queue.countReady(here)])
  return Math.max(0, all - ours)
}

async function overBudget({ budgets }: Refs, dailySpendCapUsd: number | undefined): Promise<string | undefined> {
  if (dailySpendCapUsd !== undefined && budgets.length === 0) {
    throw SwitchedOff({
      message: 'Nobody knows what is spent today, so `dailySpendCapUsd` cannot be kept: leave it out, or run a family of budgets.',
      setting: 'plugins.budgets',
    })
  }
  return refusalOf(await Promise.all(budgets.map((budget) => budget.check())), dailySpendCapUsd)
}

/**
 * Tasks that may be offered, in order: first those never offered, in queue order, then those that nobody took, oldest offer
 * first. Otherwise tasks of an agent that is gone
 * would be offered again and again, and those behind them never.
 */
async function candidates(refs: Refs, wanted: number, ctx: CallContext): Promise<Task[]> {
  for (const limit of LOOKS) {
    const ready = await refs.queue.ready({ limit })
    const taken = ready.filter((task) => receiver(task) !== undefined && !refs.config.scheduleIgnoreRepos.includes(task.repo))
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

/** The offer and its mail are written together; exactly one of several concurrent cycles writes them. */
function offer(refs: Refs, { taskId }: Task): Promise<Dispatched | undefined> {
  return refs.atomically(async (tx) => {
    const task = await refs.queue.get(taskId, tx)
    if (task?.stage !== 'ready') return undefined
    const last = await refs.offers.in(tx).get(taskId)
    if (last && stands(refs, last.offeredAt, tx.now)) return undefined
    const to = receiver(task)
    if (to === undefined) return undefined
    const offeredAt = tx.now.toISOString()
    await refs.offers.in(tx).upsert({ taskId, to, offeredAt }, { set: { to, offeredAt } })
    const { messageId } = await refs.mail.postIn(tx, { to, from: SENDER, kind: 'dispatch', ...letter(task) })
    return { taskId, title: task.title, to, messageId }
  })
}

/** Its agent, otherwise the address of its repo; nobody if neither is an address. */
function receiver({ assignedAgent, repo }: Task): string | undefined {
  const to = [assignedAgent, repo].find((name) => name !== undefined && isAddress(name))
  return to === undefined ? undefined : parseAddress('to', to)
}

function letter({ taskId, title, repo, priority }: Task): { subject: string; body: string } {
  return {
    subject: title,
    body: `Task ${taskId} (${priority}, repo ${repo}) is yours to do. Take it with tasks_claim {"taskId": "${taskId}"}; whoever claims it first has it.`,
  }
}

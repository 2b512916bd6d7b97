import type { Reachable } from '@gateway/plugin-runners/api'
import type { Task } from '@gateway/plugin-tasks/api'
import type { CallContext, Resolved } from '@gateway/sdk'
import { config } from '../config.ts'
import { receiverOf } from '../rules/receiver.ts'
import { offerUses } from './offers.ts'
import { reservedHere } from './reserved.ts'
import { plannedRun, runHereUses } from './run-here.ts'

export const candidateUses = { ...runHereUses, ...offerUses, config }
type Refs = Resolved<typeof candidateUses>

const FARTHEST = 5_000
/**
 * Depth of a cycle's search in the queue: greater if everything seen first has been offered already, for example to an agent that
 * is gone.
 */
const LOOKS = [200, FARTHEST]

export interface Candidates {
  readonly tasks: readonly Task[]
  /** Number of tasks that were seen and wait for a model. */
  readonly waitingForModel: number
}
const NONE: Candidates = { tasks: [], waitingForModel: 0 }

/**
 * Tasks that may be offered, in order: first those never offered, in queue order, then those that nobody took, oldest offer
 * first. Otherwise tasks of an agent that is gone would be offered again and again, and those behind them never.
 * Tasks of agents that run here are left alone while no model takes their calls.
 */
export async function candidates(refs: Refs, wanted: number, live: readonly Reachable[], ctx: CallContext): Promise<Candidates> {
  for (const limit of LOOKS) {
    const ready = await refs.queue.ready({ limit })
    const taken = ready.filter((task) => receiverOf(task, live) !== undefined)
    const free = await open(refs, taken, ctx)
    const tasks = new Map(free.tasks.map((task) => [task.taskId, task]))
    const where = { taskId: { in: [...tasks.keys()] } }
    const offered = (await refs.offers.find({ where, sort: { offeredAt: 1 }, limit: FARTHEST })).items
    const again = offered.filter(({ offeredAt }) => !stands(refs, offeredAt, ctx.now())).map(({ taskId }) => tasks.get(taskId) as Task)
    for (const { taskId } of offered) tasks.delete(taskId)
    if (tasks.size >= wanted || ready.length < limit || limit === FARTHEST) {
      return { ...free, tasks: [...tasks.values(), ...again] }
    }
  }
  return NONE
}

/** `settledSeconds`: tasks that were changed within this time are left out. */
interface WantedHere {
  readonly wanted: number
  readonly settledSeconds: number
}

/** Tasks of agents that run here and can be asked now, in queue order, also those that are on offer to others. */
export async function candidatesHere(refs: Refs, { wanted, settledSeconds }: WantedHere, ctx: CallContext): Promise<Candidates> {
  for (const limit of LOOKS) {
    const ready = await refs.queue.readyReserved([reservedHere(refs.runners)], limit)
    const free = await open(refs, ready.filter(hasSettled(settledSeconds, ctx)), ctx)
    if (free.tasks.length >= wanted || ready.length < limit || limit === FARTHEST) return free
  }
  return NONE
}

/** Tells whether a task was last changed at least `seconds` ago. */
export function hasSettled(seconds: number, ctx: CallContext): (task: Task) => boolean {
  const latest = new Date(ctx.now().getTime() - seconds * 1_000).toISOString()
  return ({ updatedAt }) => seconds === 0 || updatedAt <= latest
}

/** Tasks of repos that are not left alone, without those that wait for a model. */
async function open(refs: Refs, tasks: readonly Task[], ctx: CallContext): Promise<Candidates> {
  if (tasks.length === 0) return NONE
  const { scheduleIgnoreRepos } = refs.config
  const ignored = new Set([...scheduleIgnoreRepos, ...(await Promise.all(scheduleIgnoreRepos.map((repo) => refs.queue.repoName(repo))))])
  const regarded = tasks.filter(({ repo }) => !ignored.has(repo))
  const waits = await Promise.all(regarded.map(waitsForModel(refs, ctx)))
  const free = regarded.filter((_, at) => !waits[at])
  return { tasks: free, waitingForModel: regarded.length - free.length }
}

export const stands = ({ config }: Pick<Refs, 'config'>, offeredAt: string, at: Date): boolean =>
  offeredAt > new Date(at.getTime() - config.reofferMinutes * 60_000).toISOString()

/** Tells whether a task waits for a model. Tasks of one agent, type of work and pin are planned alike, and asked for once. */
function waitsForModel(refs: Refs, ctx: CallContext): (task: Task) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>()
  return (task) => {
    const { assignedAgent, workType, recommendedModel, recommendedModelPreference } = task
    const key = JSON.stringify([assignedAgent, workType, recommendedModel, recommendedModelPreference])
    const waits = known.get(key) ?? plannedRun(refs, task, ctx).then((planned) => planned === 'later')
    known.set(key, waits)
    return waits
  }
}

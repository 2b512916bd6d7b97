import type { Collection, Filter } from '@gateway/sdk'
import { type Addressed, ANY, audience, isLocal, localName, modelOf, partsOfAudience } from '../rules/stage.ts'
import type { Task } from '../schema.ts'

/** Tasks that a claimer is willing to take. */
export interface Wanted {
  readonly repo?: string | undefined
  readonly ignoreRepos?: readonly string[] | undefined
  readonly localModels?: readonly string[] | undefined
  /** Only tasks assigned to one of these agents and, unless `unassigned` is false, tasks assigned to nobody. */
  readonly assignedAgents?: readonly string[] | undefined
  readonly unassigned?: boolean | undefined
  /** No tasks of these agents, except those that are pinned to a model for which `exceptModels` is false. */
  readonly exceptAgents?: readonly string[] | undefined
  readonly exceptModels?: ((model: string) => boolean) | undefined
}

/** P0 first, then oldest; the store adds the id. */
export const byRank = { priority: 1, createdAt: 1 } as const

const ready = { stage: 'ready' } as const

/** Number of parts of the queue that a store merges in one query; beyond that it would sort its results. */
const PARTS_PER_QUERY = 64
const PEEK = 8

/** True if a claimer would take a task that is ready. */
export function accepts(wanted: Wanted, task: Pick<Task, 'repo'> & Addressed): boolean {
  return fits(wanted, task.repo, audience(task))
}

/** True if a claimer would take a ready task of this repo and audience. */
export function fits(wanted: Wanted, repo: string, readyFor: string): boolean {
  if (wanted.repo !== undefined && repo !== wanted.repo) return false
  return !wanted.ignoreRepos?.includes(repo) && isFor(wanted, readyFor)
}

/** True if a claimer with these wishes belongs to the audience. */
export function isFor({ localModels, assignedAgents, unassigned = true, exceptAgents, exceptModels }: Wanted, readyFor: string): boolean {
  const { pin, agent } = partsOfAudience(readyFor)
  if (isLocal(pin) && localModels !== undefined && !localModels.some((model) => localName(model) === pin)) return false
  if (agent !== undefined && exceptAgents?.includes(agent)) {
    const model = modelOf(pin)
    if (model === undefined || exceptModels === undefined || exceptModels(model)) return false
  }
  return assignedAgents === undefined || (agent === undefined ? unassigned : assignedAgents.includes(agent))
}

/** Holds while a task is addressed as it was read: a writer that has changed that since has derived the audience itself. */
export function addressedLike({ recommendedModel, recommendedModelPreference, assignedAgent }: Addressed): Filter<Task> {
  return {
    recommendedModel: recommendedModel ?? null,
    recommendedModelPreference: recommendedModelPreference ?? null,
    assignedAgent: assignedAgent ?? null,
  }
}

export interface Selections {
  readonly parts: readonly Filter<Task>[]
  /**
   * A matching task at the time of the search. Only its part of the queue is named then, and others may have emptied it by now.
   */
  readonly seen?: Task
}

/**
 * Filters that together hold the first ready task that a claimer would take; empty if no task is ready. They name what to take and never
 * what to leave out: the store then looks at the head of each part of the queue and passes no unwanted task, however many there are.
 */
export async function selections(tasks: Collection<Task>, wanted: Wanted): Promise<Selections> {
  const { repo, ignoreRepos = [], localModels, assignedAgents, exceptAgents = [] } = wanted
  const anyAudience = localModels === undefined && assignedAgents === undefined && exceptAgents.length === 0
  if (repo !== undefined && ignoreRepos.includes(repo)) return { parts: [] }
  const base = repo === undefined ? ready : { ...ready, repo }
  if (anyAudience && (repo !== undefined || ignoreRepos.length === 0)) return { parts: [base] }
  // Nearly always one of the first few will do, and its repo and audience are the part of the queue to take from.
  const first = await tasks.find({ where: base, sort: byRank, limit: PEEK })
  const head = first.items.find((task) => fits(wanted, task.repo, task.readyFor ?? ANY))
  if (head) return { parts: [partOf(head)], seen: head }
  if (first.nextCursor === undefined) return { parts: [] }
  if (anyAudience) return { parts: partsOf(ready, await tasks.distinct('repo'), ignoreRepos) }
  const audiences = (await tasks.distinct('readyFor')).filter((readyFor) => readyFor !== undefined && isFor(wanted, readyFor)) as string[]
  if (repo !== undefined) return { parts: chunked(audiences).map((some) => ({ repo, readyFor: { in: some } })) }
  const byAudience = audiences.map(async (readyFor) => partsOf({ readyFor }, await tasks.distinct('repo', { readyFor }), ignoreRepos))
  return { parts: (await Promise.all(byAudience)).flat() }
}

function partsOf(where: Filter<Task>, repos: readonly string[], ignoreRepos: readonly string[]): Filter<Task>[] {
  const ignored = new Set(ignoreRepos)
  return chunked(repos.filter((repo) => !ignored.has(repo))).map((some) => ({ ...where, repo: { in: some } }))
}

function chunked(values: readonly string[]): string[][] {
  const chunks: string[][] = []
  for (let i = 0; i < values.length; i += PARTS_PER_QUERY) chunks.push(values.slice(i, i + PARTS_PER_QUERY))
  return chunks
}

/** The first task of each selection that holds one, best first. */
export async function heads(tasks: Collection<Task>, selections: readonly Filter<Task>[]): Promise<readonly Task[]> {
  const pages = await Promise.all(selections.map((where) => tasks.find({ where, sort: byRank, limit: 1 })))
  return inOrder(pages.flatMap(({ items }) => items))
}

/** Tasks in the order of the queue. */
export function inOrder(tasks: readonly Task[]): readonly Task[] {
  return [...tasks].sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
}

/** The part of the queue of a ready task: one repo, one audience. */
export function partOf({ repo, readyFor = ANY }: Task): Filter<Task> {
  return { repo, readyFor }
}

function rank({ priority, createdAt, taskId }: Task): string {
  return `${priority} ${createdAt} ${taskId}`
}

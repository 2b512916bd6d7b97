import { allOf, type Filter, type Infer, type Resolved, type Transaction } from '@gateway/sdk'
import { edges, tasks } from '../collections.ts'
import { DependencyCycle, TooManyDependents, UnknownDependency } from '../errors.ts'
import { difference } from '../rules/difference.ts'
import { isReleasedBy } from '../rules/release.ts'
import { derived } from '../rules/stage.ts'
import type { Status, Task } from '../schema.ts'
import { announceClaimable, taskClaimable } from './claimable.ts'

export const dependencyUses = { tasks, edges, claimable: taskClaimable }
type Refs = Resolved<typeof dependencyUses>

type Edge = Infer<typeof edges.schema>

const PAGE = 500
const MAX_PAGE = 10_000
const FIELD = 'dependsOn'
/**
 * Limit per task. All dependents are released in the transaction that completes it: this many take some 70 ms, during which
 * nobody else can write.
 */
const MAX_DEPENDENTS = 2_000
/** Number of ids of a cycle that are shown, from both of its ends. */
const MAX_TOLD = 50

type Downstream = Pick<Task, 'taskId' | 'swarmId' | 'startsAfter'>

/**
 * Makes a task depend on further upstreams; returns the number that hold it back. Each upstream is written to (its count of
 * dependents), so that a store with concurrent transactions sees the collision with the upstream's completion.
 */
export async function link(refs: Refs, downstream: Downstream, upstreams: readonly string[], tx: Transaction): Promise<number> {
  const unknown: string[] = []
  let waitingOn = 0
  for (const upstream of upstreams) {
    const task = await refs.tasks.in(tx).updateOne(upstream, { inc: { dependents: 1 } })
    if (!task) {
      unknown.push(upstream)
      continue
    }
    if (task.dependents > MAX_DEPENDENTS) throw TooManyDependents({ field: FIELD, taskId: upstream, max: MAX_DEPENDENTS })
    const early = downstream.startsAfter === 'review' && task.swarmId === downstream.swarmId
    const waiting = !isReleasedBy(task.status, early)
    if (waiting) waitingOn++
    const { taskId } = downstream
    await refs.edges.in(tx).insert({ edgeId: edgeId(upstream, taskId), upstream, downstream: taskId, waiting, ...(early && { early }) })
  }
  if (unknown.length > 0) throw UnknownDependency({ field: FIELD, taskIds: unknown })
  return waitingOn
}

/** Replaces the upstreams of a task; returns the number of new ones that hold it back. */
export async function relink(refs: Refs, task: Task, upstreams: readonly string[], tx: Transaction): Promise<number> {
  const added = upstreams.filter((id) => !task.dependsOn.includes(id))
  const removed = task.dependsOn.filter((id) => !upstreams.includes(id))
  const path = await circle(refs, task, added, tx)
  if (path) throw DependencyCycle({ field: FIELD, path: described(path) })
  return task.waitingOn - (await unlink(refs, task.taskId, removed, tx)) + (await link(refs, task, added, tx))
}

const described = (path: readonly string[]): string[] =>
  path.length <= MAX_TOLD ? [...path] : [...path.slice(0, MAX_TOLD / 2), '…', ...path.slice(-MAX_TOLD / 2)]

/** Returns the number of removed upstreams that held the task back. */
export async function unlink(refs: Refs, downstream: string, upstreams: readonly string[], tx: Transaction): Promise<number> {
  let released = 0
  for (const upstream of upstreams) {
    const edge = await refs.edges.in(tx).deleteOne(edgeId(upstream, downstream))
    if (edge?.waiting) released++
    await refs.tasks.in(tx).updateOne(upstream, { inc: { dependents: -1 } })
  }
  return released
}

/**
 * The cycle that new upstreams would close, each task waiting for the next. It walks what depends on the task, not the whole
 * graph.
 */
async function circle(refs: Refs, task: Task, upstreams: readonly string[], tx: Transaction): Promise<string[] | undefined> {
  const start = task.taskId
  if (upstreams.includes(start)) return [start, start]
  if (upstreams.length === 0 || task.dependents === 0) return undefined
  await touchGraph(refs, tx)
  // For each task that waits for `start`, the task through which it does.
  const through = new Map<string, string>()
  let frontier: readonly string[] = [start]
  while (frontier.length > 0) {
    const next: string[] = []
    for (const edge of await edgesFrom(refs, frontier, tx)) {
      if (through.has(edge.downstream)) continue
      through.set(edge.downstream, edge.upstream)
      if (upstreams.includes(edge.downstream)) return [start, ...wayTo(start, edge.downstream, through)]
      next.push(edge.downstream)
    }
    frontier = next
  }
  return undefined
}

/** The edge that every search for a cycle writes. It belongs to no task. */
const SEARCHES = '<'

/** Two changes at two nodes could each add a half of a cycle that neither sees: of those that search for one, one is made at a time. */
async function touchGraph({ edges }: Refs, tx: Transaction): Promise<void> {
  const edge = { edgeId: SEARCHES, upstream: SEARCHES, downstream: SEARCHES, waiting: false }
  await edges.in(tx).upsert(edge, { set: { waiting: false } })
}

function wayTo(start: string, from: string, through: ReadonlyMap<string, string>): string[] {
  const way = [from]
  for (let at = from; at !== start; ) {
    at = through.get(at) ?? start
    way.push(at)
  }
  return way
}

async function edgesFrom(refs: Refs, upstreams: readonly string[], tx: Transaction): Promise<Edge[]> {
  const found: Edge[] = []
  for (let i = 0; i < upstreams.length; i += PAGE) {
    found.push(...(await allEdges(refs, { upstream: { in: upstreams.slice(i, i + PAGE) } }, tx)))
  }
  return found
}

const allEdges = (refs: Refs, where: Filter<Edge>, tx: Transaction): Promise<Edge[]> => allOf(refs.edges.in(tx), { where, limit: MAX_PAGE })

/**
 * Updates the dependents after an upstream came into another status: releases those that waited for nothing else, or makes them
 * wait again. A claimed one stays with its worker. Returns those that have left the queue.
 */
export async function settleDependents(refs: Refs, { taskId, status }: Task, next: Status, tx: Transaction): Promise<readonly Turned[]> {
  const left: Turned[] = []
  for (const early of [false, true]) {
    const released = isReleasedBy(next, early)
    if (isReleasedBy(status, early) === released) continue
    const turned = { upstream: taskId, waiting: released, early: early ? true : null }
    left.push(...(await turn(refs, turned, released, tx)))
  }
  return left
}

interface Turned {
  readonly before: Task
  readonly after: Task
}

async function turn(refs: Refs, turned: Filter<Edge>, released: boolean, tx: Transaction): Promise<readonly Turned[]> {
  const left: Turned[] = []
  const tasks = refs.tasks.in(tx)
  const downstream = (await allEdges(refs, turned, tx)).map((edge) => edge.downstream)
  await refs.edges.in(tx).updateMany(turned, { set: { waiting: !released } })
  for (let i = 0; i < downstream.length; i += PAGE) {
    // Dependents in the trash are not found; their edges record the upstream's state for their return.
    for (const task of await tasks.getMany(downstream.slice(i, i + PAGE))) {
      const after = derived({ ...task, waitingOn: task.waitingOn + (released ? -1 : 1) }, tx.now)
      const update = difference(task, after)
      if (update) await tasks.updateOne(task.taskId, update)
      announceClaimable(refs.claimable, after, tx)
      if (task.stage === 'ready' && after.stage !== 'ready') left.push({ before: task, after })
    }
  }
  return left
}

/** Computes the state of a task that returns from the trash: its upstreams and dependents may have moved on meanwhile. */
export async function recount(refs: Refs, task: Task, tx: Transaction): Promise<{ waitingOn: number; dependents: number }> {
  const up = await refs.edges.in(tx).getMany(task.dependsOn.map((upstream) => edgeId(upstream, task.taskId)))
  // An upstream that ends at another node turns its edges and does not find this task yet: the two have to conflict.
  for (const { edgeId, waiting } of up) await refs.edges.in(tx).updateOne(edgeId, { set: { waiting } })
  const dependents = await refs.edges.in(tx).count({ upstream: task.taskId })
  return { waitingOn: up.filter((edge) => edge.waiting).length, dependents }
}

function edgeId(upstream: string, downstream: string): string {
  return `${downstream}<${upstream}`
}

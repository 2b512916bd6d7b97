import { LeastWays, unansweredIn } from './least-ways.ts'
import { OpenCalls } from './open-calls.ts'

/** A recorded call. Its times come from one clock that all callers share. */
export interface Call<Answer> {
  readonly invoked: number
  /** Absent when no answer came: it may have been executed, at any time since, or never. */
  readonly returned?: number
  readonly answer?: Answer
  /** No answer came, and from this time on the call can no longer be executed. */
  readonly lost?: number
}

/** Specification of an object, one call at a time. */
export interface Model<State, C extends Call<unknown>> {
  readonly initial: State
  /** The states after `call`, for each possible outcome; empty when the answer that it got is impossible in `state`. */
  execute(state: State, call: C): readonly State[]
  /** True if the answer shows the state and the call does not change it. */
  onlyReads(call: C): boolean
}

/** A possible history: the state, and the open calls that are already executed. */
export interface Way<State, C> {
  readonly state: State
  readonly done: ReadonlySet<C>
}

/** Number of possible histories at one moment from which on the search gives up. */
const WAYS_LIMIT = 200_000

/**
 * Checks if the calls of one object have an order in which each is explained by those before it, and each comes after all calls
 * that were answered before it was made. Returns the first answer that no such order explains, or the moment at which more than
 * `limit` orders were possible.
 *
 * Goes through the beginnings and answers in the order in which they happened, and keeps every possible history. A call is put
 * into the order no sooner than an answer needs it; but a read is put in as soon as it fits, which excludes nothing for any
 * later call. Two rules keep the number of histories small, and exclude nothing either: of open calls that differ in their times
 * alone, the one that has to end first goes first; and of two histories with the same state, the one that needed fewer of the
 * calls without an answer stands for both.
 */
export function unexplained<State, C extends Call<unknown>>(
  model: Model<State, C>,
  calls: readonly C[],
  limit = WAYS_LIMIT,
): string | undefined {
  const open = new OpenCalls<C>((call) => model.onlyReads(call))
  let ways: readonly Way<State, C>[] = [{ state: model.initial, done: new Set() }]
  for (const { call, moment } of inOrder(calls.filter((one) => one.answer !== undefined || !model.onlyReads(one)))) {
    if (moment === 'begun') {
      open.add(call)
      continue
    }
    const carriedOut = reach(model, ways, call, open, limit)
    if (carriedOut === undefined)
      return `no answer to the search: ${limit} orders of ${open.size} open calls were possible at ${JSON.stringify(call)}`
    if (moment === 'answered' && carriedOut.length === 0) return fault(model, call, ways, calls)
    const left = moment === 'lost' ? [...ways, ...carriedOut] : carriedOut
    open.delete(call)
    ways = least(
      left.map(({ state, done }) => ({ state, done: without(done, call) })),
      open,
    )
  }
  return undefined
}

const MOMENTS = ['begun', 'answered', 'lost'] as const
interface Moment<C> {
  readonly call: C
  readonly moment: (typeof MOMENTS)[number]
  readonly time: number
}

function inOrder<C extends Call<unknown>>(calls: readonly C[]): readonly Moment<C>[] {
  const moments = calls.flatMap((call) =>
    [call.invoked, call.returned, call.lost].flatMap((time, n): Moment<C>[] =>
      time === undefined ? [] : [{ call, moment: MOMENTS[n] as Moment<C>['moment'], time }],
    ),
  )
  return moments.sort((a, b) => a.time - b.time || MOMENTS.indexOf(a.moment) - MOMENTS.indexOf(b.moment))
}

/**
 * Returns the continuations of `ways` in which `wanted` has been executed, with any of the other open calls before it. Undefined
 * when more than `limit` histories had to be tried.
 */
function reach<State, C extends Call<unknown>>(
  model: Model<State, C>,
  ways: readonly Way<State, C>[],
  wanted: C,
  open: OpenCalls<C>,
  limit: number,
): readonly Way<State, C>[] | undefined {
  const seen = new LeastWays<State, C>(open)
  const found: Way<State, C>[] = []
  // Histories with the same number of executed calls without an answer stand together; no step makes that number smaller.
  const toDo: Way<State, C>[][] = []
  const put = (way: Way<State, C>): void => {
    const count = unansweredIn(way)
    while (toDo.length <= count) toDo.push([])
    toDo[count]?.push(way)
  }
  for (const way of ways) put(read(model, way, open))
  for (let count = 0; count < toDo.length; count++) {
    for (let next = toDo[count]?.pop(); next; next = toDo[count]?.pop()) {
      if (!seen.add(next)) continue
      if (seen.size > limit) return undefined
      if (next.done.has(wanted)) {
        found.push(next)
        continue
      }
      for (const call of open.changesAfter(next.done)) {
        for (const state of model.execute(next.state, call)) put(read(model, { state, done: new Set([...next.done, call]) }, open))
      }
    }
  }
  return found
}

function read<State, C extends Call<unknown>>(model: Model<State, C>, { state, done }: Way<State, C>, open: OpenCalls<C>): Way<State, C> {
  const read = [...open.reads].filter((call) => !done.has(call) && model.execute(state, call).length > 0)
  return read.length === 0 ? { state, done } : { state, done: new Set([...done, ...read]) }
}

function least<State, C extends Call<unknown>>(ways: readonly Way<State, C>[], open: OpenCalls<C>): readonly Way<State, C>[] {
  const seen = new LeastWays<State, C>(open)
  return [...ways].sort((a, b) => unansweredIn(a) - unansweredIn(b)).filter((way) => seen.add(way))
}

function without<C>(done: ReadonlySet<C>, call: C): ReadonlySet<C> {
  const left = new Set(done)
  left.delete(call)
  return left
}

/** Number of changes that a fault shows, the latest before its call. */
const SHOWN = 8

function fault<State, C extends Call<unknown>>(
  model: Model<State, C>,
  call: C,
  ways: readonly Way<State, C>[],
  calls: readonly C[],
): string {
  const states = ways.map(({ state }) => JSON.stringify(state)).join(' or ')
  const changes = calls.filter((one) => !model.onlyReads(one) && one.invoked < (call.returned ?? Number.POSITIVE_INFINITY))
  const before = changes
    .sort((a, b) => a.invoked - b.invoked)
    .slice(-SHOWN)
    .map((one) => JSON.stringify(one))
  return [`no order of the calls explains ${JSON.stringify(call)}; until then it may have been ${states}; changes before:`, ...before].join(
    ' ',
  )
}

/** Returns the faults of a whole history: each key separately, because keys are independent. */
export function faults<State, C extends Call<unknown> & { readonly key: string }>(model: Model<State, C>, calls: readonly C[]): string[] {
  const byKey = new Map<string, C[]>()
  for (const call of calls) byKey.set(call.key, [...(byKey.get(call.key) ?? []), call])
  return [...byKey.keys()].sort().flatMap((key) => unexplained(model, byKey.get(key) as C[]) ?? [])
}

import type { Call } from './history.ts'
import { executeOrder, free, onlyReads, type State } from './model.ts'

/** A possible history: the state, and the open calls that are already executed. */
interface Way {
  readonly state: State
  readonly done: ReadonlySet<Call>
}

/**
 * Checks if the calls of one key have an order in which each is explained by those before it, and each comes after all calls
 * that were answered before it was made. Returns the first answer that no such order explains.
 *
 * Goes through the beginnings and answers in the order in which they happened, and keeps every possible history. A call is put
 * into the order no sooner than an answer needs it; but a read is put in as soon as it fits, which excludes nothing for any
 * later call.
 */
export function unexplained(calls: readonly Call[]): string | undefined {
  const open = new Set<Call>()
  let ways: readonly Way[] = [{ state: free, done: new Set() }]
  for (const { call, moment } of inOrder(calls)) {
    if (moment === 'begun') {
      open.add(call)
      continue
    }
    const carriedOut = ways.flatMap((way) => reach(way, call, open))
    if (moment === 'answered' && carriedOut.length === 0) return fault(call, ways)
    const left = moment === 'lost' ? [...ways, ...carriedOut] : carriedOut
    open.delete(call)
    ways = distinct(
      left.map(({ state, done }) => ({ state, done: without(done, call) })),
      open,
    )
  }
  return undefined
}

/** Returns the faults of a whole history: each key separately, because keys are independent. */
export function faults(calls: readonly Call[]): string[] {
  const keys = [...new Set(calls.map(({ key }) => key))].sort()
  return keys.flatMap((key) => unexplained(calls.filter((call) => call.key === key)) ?? [])
}

const MOMENTS = ['begun', 'answered', 'lost'] as const

function inOrder(calls: readonly Call[]): readonly { call: Call; moment: (typeof MOMENTS)[number] }[] {
  const moments = calls.flatMap((call) =>
    [call.invoked, call.returned, call.lost].flatMap((time, n) =>
      time === undefined ? [] : [{ call, moment: MOMENTS[n] as (typeof MOMENTS)[number], time }],
    ),
  )
  return moments.sort((a, b) => a.time - b.time || MOMENTS.indexOf(a.moment) - MOMENTS.indexOf(b.moment))
}

/** Returns every continuation of `way` in which `wanted` has been executed, with any of the other open calls before it. */
function reach(way: Way, wanted: Call, open: ReadonlySet<Call>): readonly Way[] {
  const seen = new Set<string>()
  const found: Way[] = []
  const toDo = [read(way, open)]
  for (let next = toDo.pop(); next; next = toDo.pop()) {
    const name = nameOf(next, open)
    if (seen.has(name)) continue
    seen.add(name)
    if (next.done.has(wanted)) {
      found.push(next)
      continue
    }
    for (const call of open) {
      if (next.done.has(call) || onlyReads(call)) continue
      for (const state of executeOrder(next.state, call)) toDo.push(read({ state, done: new Set([...next.done, call]) }, open))
    }
  }
  return found
}

function read({ state, done }: Way, open: ReadonlySet<Call>): Way {
  const read = [...open].filter((call) => !done.has(call) && onlyReads(call) && executeOrder(state, call).length > 0)
  return read.length === 0 ? { state, done } : { state, done: new Set([...done, ...read]) }
}

function distinct(ways: readonly Way[], open: ReadonlySet<Call>): readonly Way[] {
  return [...new Map(ways.map((way) => [nameOf(way, open), way])).values()]
}

function nameOf({ state, done }: Way, open: ReadonlySet<Call>): string {
  return JSON.stringify([state, [...open].map((call) => (done.has(call) ? 1 : 0)).join('')])
}

function without(done: ReadonlySet<Call>, call: Call): ReadonlySet<Call> {
  const left = new Set(done)
  left.delete(call)
  return left
}

const fault = (call: Call, ways: readonly Way[]): string =>
  `no order of the calls explains ${JSON.stringify(call)}; until then it may have been ${ways.map(({ state }) => JSON.stringify(state)).join(' or ')}`

import type { Call, Way } from './checker.ts'
import type { OpenCalls } from './open-calls.ts'

/**
 * A set of possible histories. One is left out when another has the same state and the same executed calls, apart from calls
 * without an answer, of which it needed fewer: those are never required, so whatever explains the rest of the one explains the
 * rest of the other. For this, histories are added in the order of `unansweredIn`.
 */
export class LeastWays<State, C extends Call<unknown>> {
  readonly #open: OpenCalls<C>
  readonly #unanswered = new Map<string, Set<C>[]>()
  size = 0

  constructor(open: OpenCalls<C>) {
    this.#open = open
  }

  /** Returns false for a history that another stands for. */
  add({ state, done }: Way<State, C>): boolean {
    const answered = [...done].filter((call) => call.answer !== undefined)
    const name = JSON.stringify([state, this.#open.nameOf(answered)])
    const others = this.#unanswered.get(name) ?? []
    if (others.some((other) => isWithin(other, done))) return false
    this.#unanswered.set(name, [...others, new Set([...done].filter((call) => call.answer === undefined))])
    this.size++
    return true
  }
}

/** Number of executed calls without an answer. */
export function unansweredIn<State, C extends Call<unknown>>({ done }: Way<State, C>): number {
  let count = 0
  for (const call of done) if (call.answer === undefined) count++
  return count
}

function isWithin<T>(part: ReadonlySet<T>, whole: ReadonlySet<T>): boolean {
  for (const one of part) if (!whole.has(one)) return false
  return true
}

import type { Record } from '../schema.ts'
import { isAround, neighboursOf } from './neighbours.ts'

interface Near {
  readonly record: Record
  readonly cosine: number
}

/** As the words of neighbours weigh in the text index. */
const WEIGHT = 0.5

/**
 * The cosine of each, half way up to that of its nearest neighbour where that is nearer: what answers a question often stands beside
 * what is like it. None gets above the best. Two that are neighbours are at most so far apart in the order of their thread.
 */
export function cosinesAmongNeighbours(candidates: readonly Near[]): ReadonlyMap<Near, number> {
  const cosines = new Map(candidates.map((one) => [one, Math.max(0, one.cosine)]))
  const threads = new Map<string, Near[]>()
  for (const one of candidates) {
    const { thread } = one.record
    if (thread === undefined) continue
    const known = threads.get(thread)
    if (known) known.push(one)
    else threads.set(thread, [one])
  }
  for (const thread of threads.values()) {
    if (thread.length === 1) continue
    thread.sort((a, b) => (a.record.storedAs < b.record.storedAs ? -1 : 1))
    for (const [i, one] of thread.entries()) {
      const nearer = neighboursOf(thread, i).filter((other) => other.cosine > one.cosine && isAround(other.record, one.record))
      const own = Math.max(0, one.cosine)
      const best = Math.max(own, ...nearer.map(({ cosine }) => cosine))
      cosines.set(one, own + WEIGHT * (best - own))
    }
  }
  return cosines
}

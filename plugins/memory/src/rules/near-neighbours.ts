import type { MemoryRecord } from '../schema.ts'
import { isAround, neighboursOf } from './neighbours.ts'

interface Near {
  readonly record: MemoryRecord
  readonly cosine: number
}

/** Weight of neighbours, the same as in the text index. */
const WEIGHT = 0.5

/**
 * Raises each cosine half way to that of its nearest neighbour if that is nearer, because an answer is often next to a text that
 * resembles the question. None exceeds the best. Neighbours are limited in distance within their thread.
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

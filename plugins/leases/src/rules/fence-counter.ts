import { createHash } from 'node:crypto'

/** Large, so that acquisitions of different keys rarely wait for each other. Changing it would repeat fences. */
const COUNTERS = 64

/** Counter that numbers the acquisitions of `key`. */
export function fenceCounter(key: string): string {
  return String(createHash('sha256').update(key).digest().readUInt32BE() % COUNTERS)
}

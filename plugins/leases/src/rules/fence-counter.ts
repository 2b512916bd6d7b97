import { createHash } from 'node:crypto'

/** Many, so that acquisitions of different keys seldom wait for one another. Another number would repeat fences. */
const COUNTERS = 64

/** The counter that numbers the acquisitions of `key`. */
export function fenceCounter(key: string): string {
  return String(createHash('sha256').update(key).digest().readUInt32BE() % COUNTERS)
}

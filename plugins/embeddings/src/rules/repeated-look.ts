/** The library can be installed while the gateway runs: a search this much later looks again. */
const LOOK_AGAIN_MS = 5_000

/**
 * Wraps a search for something that may appear later. A result is kept; after a miss it looks again at most once per interval.
 */
export function repeatedLook<T>(find: () => T | undefined, now: () => number): () => T | undefined {
  let found: T | undefined
  let looked = Number.NEGATIVE_INFINITY
  return () => {
    if (found !== undefined || now() - looked < LOOK_AGAIN_MS) return found
    looked = now()
    found = find()
    return found
  }
}

/** The library can be installed while the gateway runs: a search that comes this much later looks again. */
const LOOK_AGAIN_MS = 5_000

/** Wraps a search for something that may appear later: found once, it is kept; missing, it is looked for again after a while at most. */
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

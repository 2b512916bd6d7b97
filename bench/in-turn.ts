import { median } from './median.ts'

/** Enough for the engine to compile the code that a long-running service has compiled. */
const WARM_UP = 2_000

/**
 * Runs each piece of work once per round, for `seconds`, so that all of them meet the same machine; returns the median of each,
 * ms.
 */
export async function inTurn<Name extends string>(
  seconds: number,
  works: Readonly<Record<Name, () => Promise<unknown>>>,
): Promise<Record<Name, number>> {
  const timed = (Object.keys(works) as Name[]).map((name) => ({ name, work: works[name], took: [] as number[] }))
  for (let round = 0, until = Number.POSITIVE_INFINITY; performance.now() < until; round++) {
    for (const { work, took } of timed) {
      const began = performance.now()
      await work()
      if (round >= WARM_UP) took.push(performance.now() - began)
    }
    if (round === WARM_UP) until = performance.now() + seconds * 1000
  }
  return Object.fromEntries(timed.map(({ name, took }) => [name, median(took)])) as Record<Name, number>
}

/** The work’s result, or `late` when it takes longer; the work itself goes on, since nothing can end it. */
export async function within<T>(work: Promise<T>, limitMs: number, late: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late), limitMs)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/** What `withTimeLimit` rejects with. */
export class OutOfTime extends Error {}

const LATE = Symbol('late')

/** The same for work that must be done in time: rejects with OutOfTime when it takes longer. */
export async function withTimeLimit<T>(work: Promise<T>, limitMs: number, what: string): Promise<T> {
  const outcome = await within<T | typeof LATE>(work, limitMs, LATE)
  if (outcome === LATE) throw new OutOfTime(`${what} took longer than ${limitMs} ms`)
  return outcome
}

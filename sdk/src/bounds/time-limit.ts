/** Returns the work's result, or `late` if it takes longer. The work itself continues, because nothing can end it. */
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

/** Error of `withTimeLimit`. */
export class TimeLimitError extends Error {}

const LATE = Symbol('late')

/** Returns the work's result, or rejects with TimeLimitError if it takes longer. */
export async function withTimeLimit<T>(work: Promise<T>, limitMs: number, what: string): Promise<T> {
  const outcome = await within<T | typeof LATE>(work, limitMs, LATE)
  if (outcome === LATE) throw new TimeLimitError(`${what} took longer than ${limitMs} ms`)
  return outcome
}

/** What `withTimeLimit` rejects with. */
export class OutOfTime extends Error {}

/** Rejects with OutOfTime when the work takes longer than it may; the work itself goes on, since nothing can end it. */
export async function withTimeLimit<T>(work: Promise<T>, milliseconds: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new OutOfTime(`${what} took longer than ${milliseconds} ms`)), milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

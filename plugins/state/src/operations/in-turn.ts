const turns = new Map<string, Promise<unknown>>()

/** Runs work one after the other for all calls in this process with the same key. */
export async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = turns.get(key) ?? Promise.resolve()
  // A failure does not affect the next one.
  const mine = before.catch(() => undefined).then(work)
  turns.set(key, mine)
  try {
    return await mine
  } finally {
    if (turns.get(key) === mine) turns.delete(key)
  }
}

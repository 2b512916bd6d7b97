const turns = new Map<string, Promise<unknown>>()

/** One after the other, of all in this process that give the same key. */
export async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = turns.get(key) ?? Promise.resolve()
  // The next one does not fail because this one did.
  const mine = before.catch(() => undefined).then(work)
  turns.set(key, mine)
  try {
    return await mine
  } finally {
    if (turns.get(key) === mine) turns.delete(key)
  }
}

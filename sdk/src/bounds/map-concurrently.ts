/**
 * Does the work on each item, on at most `limit` of them at the same time, and returns the results in the order of the items. The
 * first failure stops the start of further items; it is thrown once those that are running have ended.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const left = items.entries()
  let failure: { readonly error: unknown } | undefined
  const worker = async (): Promise<void> => {
    for (const [index, item] of left) {
      if (failure) return
      try {
        results[index] = await work(item, index)
      } catch (error) {
        failure ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  if (failure) throw failure.error
  return results
}

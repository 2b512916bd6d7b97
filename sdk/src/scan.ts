import { setImmediate as othersFirst } from 'node:timers/promises'
import type { Collection, Query } from './collection.ts'

const PAGE = 500

/**
 * The documents of a query one after the other, read in pages, for what no index can answer. Between two pages others
 * get their turn, and a caller who has gone ends it.
 */
export async function* scan<Doc>(collection: Collection<Doc>, query: Omit<Query<Doc>, 'limit' | 'cursor'>, signal: AbortSignal) {
  let page = await collection.find({ ...query, limit: PAGE })
  for (;;) {
    yield* page.items
    if (page.nextCursor === undefined) return
    await othersFirst()
    signal.throwIfAborted()
    page = await collection.find({ ...query, limit: PAGE, cursor: page.nextCursor })
  }
}

import type { Collection } from './collection/collection.ts'
import type { Query } from './collection/query.ts'
import type { CallContext } from './context.ts'
import { defined } from './objects.ts'

/** So many, or so much, are read and looked through in one stretch: a few milliseconds. */
const STRETCH = { limit: 500, maxBytes: 262_144 }

/**
 * The documents of a query one after the other, for what no index can answer. They are read in stretches, each when it is the
 * tenant’s turn, so that others are served in between; a caller who has gone ends it.
 */
export async function* scan<Doc>(
  collection: Collection<Doc>,
  query: Omit<Query<Doc>, 'limit' | 'cursor' | 'maxBytes'>,
  ctx: Pick<CallContext, 'turn'>,
): AsyncGenerator<Doc> {
  let page = await ctx.turn(() => collection.find({ ...query, ...STRETCH }))
  for (;;) {
    yield* page.items
    const cursor = page.nextCursor
    if (cursor === undefined) return
    page = await ctx.turn(() => collection.find({ ...query, ...STRETCH, cursor }))
  }
}

/**
 * All documents of a query, page by page, at once: for jobs and for what has few of them. What a caller waits for while others do reads
 * with `scan`.
 */
export async function* pages<Doc>(
  collection: Pick<Collection<Doc>, 'find'>,
  query: Omit<Query<Doc>, 'cursor'>,
): AsyncGenerator<readonly Doc[]> {
  for (let cursor: string | undefined; ; ) {
    const page = await collection.find({ ...query, ...defined({ cursor }) })
    yield page.items
    cursor = page.nextCursor
    if (cursor === undefined) return
  }
}

/** All documents of a query, of which there are few. */
export async function allOf<Doc>(collection: Pick<Collection<Doc>, 'find'>, query: Omit<Query<Doc>, 'cursor'>): Promise<Doc[]> {
  const all: Doc[] = []
  for await (const items of pages(collection, query)) all.push(...items)
  return all
}

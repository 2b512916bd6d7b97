import type { Collection } from './collection/collection.ts'
import type { Query } from './collection/query.ts'
import type { CallContext } from './context.ts'
import { defined } from './objects.ts'

/** Size of one stretch: a few milliseconds of reading and checking. */
const STRETCH = { limit: 500, maxBytes: 262_144 }

/**
 * Yields the documents of a query one by one, for questions that no index can answer. They are read in stretches, each when it
 * is the tenant's turn, so that others are served in between. It ends when the caller disconnects.
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
 * Reads all documents of a query, page by page, without pauses: for jobs and small collections. For a call that makes its
 * caller wait, use `scan`.
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

/** Returns all documents of a query that matches few. */
export async function allOf<Doc>(collection: Pick<Collection<Doc>, 'find'>, query: Omit<Query<Doc>, 'cursor'>): Promise<Doc[]> {
  const all: Doc[] = []
  for await (const items of pages(collection, query)) all.push(...items)
  return all
}

import type { Collection, Query } from './collection.ts'
import type { CallContext } from './context.ts'

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

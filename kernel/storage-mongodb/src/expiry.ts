import type { Db, Document } from 'mongodb'
import { at, type Layout } from './layout.ts'
import { nowText } from './server-time.ts'

/** Documents removed by one write: a backlog takes many, each of which is answered in time. */
const PORTION = 1_000

/**
 * Removes expired documents in every tenant and returns their number; ends early when the store is closing. With `serverTimes` the
 * server's clock has to agree.
 */
export async function sweepExpired(
  db: Db,
  layouts: Iterable<Layout>,
  now: () => number,
  serverTimes: boolean,
  isStopped: () => boolean,
): Promise<number> {
  let removed = 0
  for (const { id, indexes } of layouts) {
    for (const { expireAfterSeconds, keys } of indexes) {
      if (expireAfterSeconds === undefined) continue
      const until = new Date(now() - expireAfterSeconds * 1000).toISOString()
      const path = at(keys[0]?.field as string)
      const guard = serverTimes ? { $expr: { $lte: [`$${path}`, nowText(-expireAfterSeconds * 1000)] } } : {}
      const expired = { [path]: { $gte: '', $lte: until }, ...guard }
      for (let mayBeMore = true; mayBeMore && !isStopped(); ) {
        const portion = await removePortion(db, id, expired)
        removed += portion.removed
        mayBeMore = portion.found === PORTION
      }
    }
  }
  return removed
}

/** Removes fewer than it found if another node removes them too. */
async function removePortion(db: Db, collection: string, expired: Document): Promise<{ found: number; removed: number }> {
  const docs = db.collection(collection)
  const found = await docs.find(expired, { projection: { _id: 1 }, limit: PORTION }).toArray()
  if (found.length === 0) return { found: 0, removed: 0 }
  // A document whose time has been extended since is kept.
  const { deletedCount } = await docs.deleteMany({ ...expired, _id: { $in: found.map(({ _id }) => _id) } })
  return { found: found.length, removed: deletedCount }
}

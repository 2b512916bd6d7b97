import type { Db } from 'mongodb'
import { at, type Layout } from './layout.ts'
import { nowText } from './server-time.ts'

/** Removes expired documents in every tenant and returns their number. With `serverTimes` the server's clock has to agree. */
export async function sweepExpired(db: Db, layouts: Iterable<Layout>, now: () => number, serverTimes: boolean): Promise<number> {
  let removed = 0
  for (const { id, indexes } of layouts) {
    for (const { expireAfterSeconds, keys } of indexes) {
      if (expireAfterSeconds === undefined) continue
      const until = new Date(now() - expireAfterSeconds * 1000).toISOString()
      const path = at(keys[0]?.field as string)
      const guard = serverTimes ? { $expr: { $lte: [`$${path}`, nowText(-expireAfterSeconds * 1000)] } } : {}
      const { deletedCount } = await db.collection(id).deleteMany({ [path]: { $gte: '', $lte: until }, ...guard })
      removed += deletedCount
    }
  }
  return removed
}

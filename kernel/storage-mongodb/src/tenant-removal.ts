import type { Db } from 'mongodb'
import type { Stored } from './layout.ts'
import type { Running } from './running.ts'

/** Documents of a tenant by collection, without empty ones. Each is counted however long that takes. */
export async function countsOf(
  names: readonly string[],
  tenantId: string,
  patiently: <T>(work: (db: Db) => Promise<T>) => Promise<T>,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {}
  for (const name of names) {
    const count = await patiently((db) => db.collection<Stored>(name).countDocuments({ t: tenantId }))
    if (count > 0) counts[name] = count
  }
  return counts
}

/** Removes at most `limit` documents of a tenant from one collection; 0 when none are left. */
export async function removeSome(db: Db, running: Running, tenantId: string, limit: number): Promise<number> {
  for (const name of await collectionNames(db, running)) {
    const docs = db.collection<Stored>(name)
    const found = await running.run(() => docs.find({ t: tenantId }, { projection: { _id: 1 }, limit }).toArray())
    if (found.length === 0) continue
    const { deletedCount } = await running.run(() => docs.deleteMany({ t: tenantId, _id: { $in: found.map(({ _id }) => _id) } }))
    return deletedCount
  }
  return 0
}

/** Names of all collections in the database: data of a family that is switched off belongs to its tenant too. */
export async function collectionNames(db: Db, running: Running): Promise<readonly string[]> {
  const found = await running.run(() => db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray())
  return found.map(({ name }) => name).filter((name) => !name.startsWith('system.'))
}

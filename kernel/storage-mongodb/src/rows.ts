import type { Row, RowReader } from '@gateway/storage'
import type { Document } from 'mongodb'
import { startFailure } from './errors.ts'
import { at, type Stored, unpack } from './layout.ts'
import { connectionTo, databaseName } from './open.ts'
import { SCHEMA_COLLECTION } from './schema-version.ts'

/** A MongoDB database, read next to the services that work on it. */
export async function mongoRows(url: string, timeoutMs?: number): Promise<RowReader> {
  const client = connectionTo(url, timeoutMs)
  const hosts = client.options.hosts.map(String).join(',') || client.options.srvHost || ''
  try {
    await client.connect()
  } catch (error) {
    await client.close()
    throw startFailure(error, hosts)
  }
  const db = client.db(databaseName(url))
  return {
    identity: `mongodb:${hosts}/${db.databaseName}`,
    async collections() {
      const listed = await db.listCollections({}, { nameOnly: true }).toArray()
      const names = listed.map(({ name }) => name).filter((name) => name !== SCHEMA_COLLECTION && !name.startsWith('system.'))
      const held = await Promise.all(names.map((name) => db.collection(name).findOne({}, { projection: { _id: 1 } })))
      return names.filter((_, i) => held[i] !== null).sort()
    },
    async page({ id, key }, after, limit) {
      const beyond: Document = after ? { $or: [{ t: after.tenant, [at(key)]: { $gt: after.id } }, { t: { $gt: after.tenant } }] } : {}
      const found = await db
        .collection<Stored>(id)
        .find(beyond, { projection: { w: 0 } })
        .sort({ t: 1, [at(key)]: 1 })
        .limit(limit)
        .toArray()
      return found.map((one): Row => ({ tenant: one.t, id: one.d[key] as string, doc: unpack(one) }))
    },
    close: () => client.close(),
  }
}

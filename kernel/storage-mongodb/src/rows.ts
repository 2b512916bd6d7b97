import type { RowReader } from '@gateway/storage'
import { databaseName } from './address.ts'
import { startFailure } from './errors.ts'
import type { Stored } from './layout.ts'
import { connectionTo } from './open.ts'
import { ReportedSets } from './reported-sets.ts'
import { pagesOf } from './row-pages.ts'
import { SCHEMA_COLLECTION } from './schema-version.ts'
import { TRIAL } from './server-needs.ts'

/** Prefixes of the server's own collections, and of what a process left that was killed while it tried the server. */
const NO_DATA = ['system.', TRIAL]

/** A MongoDB database, read next to the services that work on it. Its answers may take long: they grow with the data. */
export async function mongoRows(url: string, timeoutMs?: number): Promise<RowReader> {
  const client = connectionTo(url, timeoutMs, 0)
  const hosts = client.options.hosts.map(String).join(',') || client.options.srvHost || ''
  const sets = new ReportedSets(client)
  try {
    await client.connect()
    sets.stop()
  } catch (error) {
    await client.close()
    throw startFailure(error, hosts, sets.advice)
  }
  const db = client.db(databaseName(url))
  return {
    identity: `mongodb:${hosts}/${db.databaseName}`,
    async collections() {
      const listed = await db.listCollections({}, { nameOnly: true }).toArray()
      const names = listed
        .map(({ name }) => name)
        .filter((name) => name !== SCHEMA_COLLECTION && !NO_DATA.some((prefix) => name.startsWith(prefix)))
      const held = await Promise.all(names.map((name) => db.collection(name).findOne({}, { projection: { _id: 1 } })))
      return names.filter((_, i) => held[i] !== null).sort()
    },
    pages: (ref, after) => pagesOf(db.collection<Stored>(ref.id), ref.key, after),
    close: () => client.close(),
  }
}

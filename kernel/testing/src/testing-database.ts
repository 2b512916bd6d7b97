import { createHash } from 'node:crypto'
import type { openStore } from '@gateway/defaults'

interface TestDatabase {
  readonly open: typeof openStore
  drop(): Promise<void>
}

/** FerretDB processes its commands one by one, on machines that have other things to do. */
const PATIENCE_MS = 60_000

/** Returns a database for the test gateway of one data folder: started again on the folder, it finds the same data. */
export function testDatabase(server: string, dataDir: string, product: string): TestDatabase {
  const address = new URL(server)
  const timeoutMs = Number(address.searchParams.get('serverSelectionTimeoutMS') ?? PATIENCE_MS)
  address.pathname = `/test_${createHash('sha256').update(dataDir).digest('hex').slice(0, 24)}`
  return {
    async open({ clock, log }) {
      const { openMongo } = await import('@gateway/storage-mongodb')
      const warnings = { warn: (message: string, fields?: object) => log.warn(fields ?? {}, message) }
      // Uses the test's clock; tests themselves name the features that FerretDB lacks.
      const withoutTransactions = product === 'FerretDB'
      return openMongo({ url: address.href, clock, log: warnings, serverTimes: false, withoutTransactions, timeoutMs })
    },
    async drop() {
      const { MongoClient } = await import('mongodb')
      const client = await MongoClient.connect(address.href)
      await client.db().dropDatabase()
      await client.close()
    },
  }
}

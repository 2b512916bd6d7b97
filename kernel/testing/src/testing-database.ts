import { createHash } from 'node:crypto'
import type { openStore } from '@gateway/defaults'

interface TestDatabase {
  readonly open: typeof openStore
  drop(): Promise<void>
}

/** The server of the tests is slow, on machines that have other things to do. */
const PATIENCE_MS = 60_000

/** Returns a database for the test gateway of one data folder: started again on the folder, it finds the same data. */
export function testDatabase(server: string, dataDir: string): TestDatabase {
  const address = new URL(server)
  const timeoutMs = Number(address.searchParams.get('serverSelectionTimeoutMS') ?? PATIENCE_MS)
  address.pathname = `/test_${createHash('sha256').update(dataDir).digest('hex').slice(0, 24)}`
  return {
    async open({ clock, log }) {
      const { openMongo } = await import('@gateway/storage-mongodb')
      const warnings = { warn: (message: string, fields?: object) => log.warn(fields ?? {}, message) }
      // Times come from the test's clock.
      return openMongo({ url: address.href, clock, log: warnings, serverTimes: false, timeoutMs })
    },
    async drop() {
      const { MongoClient } = await import('mongodb')
      const client = await MongoClient.connect(address.href)
      await client.db().dropDatabase()
      await client.close()
    },
  }
}

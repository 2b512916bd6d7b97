import { randomUUID } from 'node:crypto'
import type { Subject } from '@gateway/testing'
import { MongoClient } from 'mongodb'
import { silent } from '../../storage/test/subject.ts'
import { type MongoOptions, type MongoStore, openMongo } from '../src/index.ts'

/** The server of the tests is slow, on machines that do other work too. */
const PATIENCE_MS = 120_000

interface MongoSubject extends Subject {
  readonly url: string
  readonly store: MongoStore
  reopen(): Promise<MongoStore>
}

/** A store in its own database on the server at `url`, removed at the end. */
export async function mongoSubject(url: string, options: Pick<MongoOptions, 'clock'> & Partial<MongoOptions>): Promise<MongoSubject> {
  const address = new URL(url)
  address.pathname = `/test_${randomUUID().replaceAll('-', '')}`
  const open = (): Promise<MongoStore> =>
    openMongo({ url: address.href, log: silent, serverTimes: false, timeoutMs: PATIENCE_MS, ...options })
  const opened = [await open()]
  return {
    url: address.href,
    store: opened[0] as MongoStore,
    async reopen() {
      const store = await open()
      opened.push(store)
      return store
    },
    async dispose() {
      for (const store of opened) await store.close()
      const client = await MongoClient.connect(address.href)
      await client.db().dropDatabase()
      await client.close()
    },
  }
}

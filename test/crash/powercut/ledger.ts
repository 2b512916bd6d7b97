import { join } from 'node:path'
import { defineCollection, Type } from '@gateway/sdk'
import { DatabaseSync } from '@photostructure/sqlite'
import { loadDriver } from '../../../kernel/storage-sqlite/src/driver.ts'
import { openSqlite } from '../../../kernel/storage-sqlite/src/index.ts'
import type { Page } from './pages.ts'

/** Target of the workload: the gateway's own store, or one that must be caught losing data. */
export interface Ledger {
  /** Turns the page as `change` says, in every book of `books` or in none. Resolves when the ledger reports it written. */
  turn(books: readonly Book[], page: Page, change: 'insert' | 'update' | 'delete'): Promise<void>
  readAll(book: Book): Promise<readonly Page[]>
  /** Checkpoints the log into the database now, so that its restarts also occur in a short run. */
  checkpoint(): void
  close(): Promise<void>
}
export const BOOKS = ['first', 'second'] as const
export type Book = (typeof BOOKS)[number]

export type LedgerKind = 'store' | 'store-without-sync' | 'sqlite-normal' | 'sqlite-off'
export function openLedger(kind: LedgerKind, folder: string): Promise<Ledger> {
  if (kind.startsWith('sqlite')) return Promise.resolve(openRaw(kind === 'sqlite-off' ? 'OFF' : 'NORMAL', folder))
  return openStore(folder)
}

const schema = Type.Object({ key: Type.String(), step: Type.Integer(), text: Type.String() })
const books = {
  first: defineCollection('crash.first', { schema, key: 'key', indexes: [{ keys: { step: 1 } }] }),
  second: defineCollection('crash.second', { schema, key: 'key', text: ['text'] }),
}

async function openStore(dataDir: string): Promise<Ledger> {
  // Small checkpoints, so that the store's own ones, which restart the log, also occur in a short run.
  const store = await openSqlite({ dataDir, clock: { now: Date.now }, log: { warn: () => undefined }, checkpointFrames: 30 })
  await store.prepare(Object.values(books))
  // Uses the adapter's own driver: a second SQLite in the process would drop the locks of the first.
  const beside = (await loadDriver()).open(join(dataDir, 'store', 'gateway.db'))
  const collection = (book: Book) => store.collection<Page>(books[book], 'local')
  const turn = async (pages: ReturnType<typeof collection>, page: Page, change: string) => {
    if (change === 'insert') await pages.insert(page)
    else if (change === 'update') await pages.updateOne(page.key, { set: { step: page.step, text: page.text } })
    else await pages.deleteOne(page.key)
  }
  return {
    async turn(names, page, change) {
      const [only, ...others] = names
      if (only && others.length === 0) return turn(collection(only), page, change)
      await store.atomically('local')(async (tx) => {
        for (const name of names) await turn(collection(name).in(tx), page, change)
      })
    },
    async readAll(book) {
      return (await collection(book).find({ limit: 10_000 })).items
    },
    checkpoint: () => beside.exec('PRAGMA wal_checkpoint(PASSIVE)'),
    async close() {
      beside.close()
      await store.close()
    },
  }
}

function openRaw(synchronous: 'OFF' | 'NORMAL', folder: string): Ledger {
  const db = new DatabaseSync(`${folder}/raw.db`)
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`)
  for (const book of BOOKS) db.exec(`CREATE TABLE IF NOT EXISTS ${book} (key TEXT PRIMARY KEY, step INTEGER, text TEXT)`)
  return {
    async turn(names, { key, step, text }, change) {
      db.exec('BEGIN IMMEDIATE')
      for (const name of names) {
        if (change === 'delete') db.prepare(`DELETE FROM ${name} WHERE key = ?`).run(key)
        else db.prepare(`INSERT OR REPLACE INTO ${name} VALUES (?, ?, ?)`).run(key, step, text)
      }
      db.exec('COMMIT')
    },
    async readAll(book) {
      return db.prepare(`SELECT key, step, text FROM ${book}`).all() as unknown as Page[]
    },
    checkpoint: () => db.exec('PRAGMA wal_checkpoint(PASSIVE)'),
    async close() {
      db.close()
    },
  }
}

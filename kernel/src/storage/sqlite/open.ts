import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../clock.ts'
import { Connection } from './connection.ts'
import { loadDriver, type Driver } from './driver.ts'
import { lockFolder } from './lock.ts'
import { checkSchemaVersion } from './schema.ts'
import { SqliteStore } from './store.ts'

export interface SqliteOptions {
  /** The store lies in `<dataDir>/store`; made when it is not there. */
  readonly dataDir: string
  readonly clock: Clock
  readonly log: { warn(message: string, fields?: object): void }
  /** Milliseconds the work of one `atomically` may take before it is rolled back. Default 5,000. */
  readonly transactionLimitMs?: number
}

/** Pages the write-ahead log grows by before a commit also writes them to the database. */
const CHECKPOINT_PAGES = 4_000

/**
 * 1. the driver: a SQLite that is new enough; 2. the lock: no other process has the folder; 3. the writer, its settings
 * read back; 4. the schema version; 5. the reader. Throws with nothing left open.
 */
export async function openSqlite(options: SqliteOptions): Promise<SqliteStore> {
  const driver = await loadDriver()
  const folder = join(options.dataDir, 'store')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = lockFolder(driver, folder, options.clock.now())
  const path = join(folder, 'gateway.db')
  const opened: Connection[] = []
  try {
    const writer = openWriter(driver, path)
    opened.push(writer)
    checkSchemaVersion(writer, path)
    const reader = openReader(driver, path)
    opened.push(reader)
    return new SqliteStore({ ...options, driver, path, writer, reader, lock })
  } catch (error) {
    for (const connection of opened) connection.close()
    lock.release()
    throw error
  }
}

function openWriter(driver: Driver, path: string): Connection {
  const db = new Connection(driver.open(path, { timeout: 5_000 }))
  try {
    db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536; pragma temp_store = memory')
    db.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}; pragma journal_size_limit = 67108864`)
    assertDurable(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

export function openReader(driver: Driver, path: string): Connection {
  const db = new Connection(driver.open(path, { readOnly: true, timeout: 5_000 }))
  db.exec('pragma cache_size = -65536; pragma temp_store = memory')
  return db
}

/** Refuse to run where an acknowledged write could be lost: some file systems cannot do WAL, some builds default to less. */
export function assertDurable(db: Connection): void {
  const journal = db.get('pragma journal_mode')?.['journal_mode']
  const synchronous = db.get('pragma synchronous')?.['synchronous']
  if (journal !== 'wal' || synchronous !== FULL)
    throw new Error(
      `The store cannot promise that a write survives a power cut here: journal_mode is ${String(journal)} (wal is needed), ` +
        `synchronous is ${String(synchronous)} (${FULL} is needed). Put the data folder on a local disk.`,
    )
}

const FULL = 2

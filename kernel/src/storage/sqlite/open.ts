import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Clock } from '../../clock.ts'
import { sync } from '../../sync.ts'
import type { Connection } from './connection.ts'
import { loadDriver } from './driver.ts'
import { lockFolder } from './lock.ts'
import { openReader, openWriter } from './open-database.ts'
import { checkSchemaVersion } from './schema.ts'
import { SqliteStore } from './store.ts'

export interface SqliteOptions {
  /** The store lies in `<dataDir>/store`; made when it is not there. */
  readonly dataDir: string
  readonly clock: Clock
  readonly log: { warn(message: string, fields?: object): void }
  /** Milliseconds the work of one `atomically` may take before it is rolled back. Default 5,000. */
  readonly transactionLimitMs?: number
  /** Reads that grow with the data leave the event loop for a thread when a collection had more documents than this. Default 2,000. */
  readonly smallCollection?: number
  /** Pages in the write-ahead log worth bringing into the database. Default 6,000. */
  readonly checkpointFrames?: number
  /** Leave what has expired: a copy has what its original has. Default false. */
  readonly keepExpired?: boolean
}

/**
 * 1. the driver: a SQLite that is new enough; 2. the lock: no other process has the folder; 3. the writer, its settings
 * read back; 4. the schema version; 5. the reader. Throws with nothing left open.
 */
export async function openSqlite(options: SqliteOptions): Promise<SqliteStore> {
  const driver = await loadDriver()
  const folder = join(options.dataDir, 'store')
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 })
  // SQLite syncs what is in the folder; a folder whose own name is not on the disk is lost in a power cut with all of that.
  if (made !== undefined) for (const parent of [options.dataDir, dirname(made)]) sync(parent)
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

import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Clock } from '@gateway/kernel'
import type { Metrics } from '@gateway/metrics'
import { sync } from '@gateway/storage'
import type { Connection } from './connection.ts'
import { type Driver, loadDriver } from './driver.ts'
import { emptied, type FolderIdentity, keepIdentity, readIdentityFile } from './identity.ts'
import { lockFolder } from './lock.ts'
import { LogExtent } from './log-extent.ts'
import { openReader, openWriter } from './open-database.ts'
import { kindOf, setApplicationId, unusable } from './schema.ts'
import { SqliteStore } from './store.ts'
import { runDeferredVacuum } from './vacuum.ts'

export interface SqliteOptions {
  /** The store is in `<dataDir>/store`, which is created if missing. */
  readonly dataDir: string
  readonly clock: Clock
  readonly log: { warn(message: string, fields?: object): void }
  /** Counts commits. */
  readonly metrics?: Metrics
  /** Milliseconds the work of one `atomically` may take before it is rolled back. Default 5,000. */
  readonly transactionLimitMs?: number
  /**
   * Reads whose cost grows with the data leave the event loop for a thread if a collection had more documents than this. Default
   * 2,000.
   */
  readonly smallCollection?: number
  /** Pages in the write-ahead log that make a checkpoint worthwhile. Default 6,000. */
  readonly checkpointFrames?: number
  /** Keeps expired documents: a copy has the same documents as its original. Default false. */
  readonly keepExpired?: boolean
  /** Treats an empty store as new even if there was another. Default false: it is refused. */
  readonly newStore?: boolean
}

/**
 * Opens the store in this order: 1. the driver, a SQLite that is new enough; 2. the lock, so that no other process has the
 * folder; 3. a read-only check of the existing data, so that a refused store is left unchanged; 4. the writer, with its
 * settings read back; 5. the id of the store; 6. the reader. Throws with nothing left open.
 */
export async function openSqlite(options: SqliteOptions): Promise<SqliteStore> {
  const driver = await loadDriver()
  const folder = join(options.dataDir, 'store')
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 })
  // SQLite syncs files in the folder; a folder whose own name is not durable is lost in a power cut together with them.
  if (made !== undefined) for (const parent of [options.dataDir, dirname(made)]) sync(parent)
  const lock = lockFolder(driver, folder, options.clock.now())
  const path = join(folder, 'gateway.db')
  const opened: Connection[] = []
  try {
    const beside = readIdentityFile(options.dataDir)
    const loss = new LogExtent(path).loss()
    if (loss !== undefined) options.log.warn('the write-ahead log was cut', { loss })
    refuse(driver, path, beside, options.newStore ?? false)
    const writer = openWriter(driver, path)
    opened.push(writer)
    if (kindOf(writer) === 'empty') setApplicationId(writer)
    runDeferredVacuum(writer, path)
    keepIdentity(writer, path, options.dataDir, beside)
    const reader = openReader(driver, path)
    opened.push(reader)
    return new SqliteStore({ ...options, driver, path, writer, reader, lock, loss })
  } catch (error) {
    for (const connection of opened) connection.close()
    lock.release()
    throw error
  }
}

const OTHER_FOLDER = 'Choose another data folder.'
const NEWER_VERSION = 'Run that version or a newer one.'
const RESTORE_OR_ANEW =
  'Restore the last `gateway backup`; `gateway doctor` says more. To begin with a new store, set GATEWAY_NEW_STORE=1 for one start.'

function refuse(driver: Driver, path: string, beside: FolderIdentity, newStore: boolean): void {
  const reader = existsSync(path) ? openReader(driver, path) : undefined
  try {
    const kind = reader ? kindOf(reader) : 'empty'
    const fault = reader && unusable(reader, path, kind)
    if (fault !== undefined) throw new Error(`${fault} ${kind === 'foreign' ? OTHER_FOLDER : NEWER_VERSION}`)
    const loss = kind === 'empty' && !newStore ? emptied(path, beside) : undefined
    if (loss !== undefined) throw new Error(`${loss} ${RESTORE_OR_ANEW}`)
  } finally {
    reader?.close()
  }
}

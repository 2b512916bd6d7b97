import { chmodSync, closeSync, openSync } from 'node:fs'
import { Connection } from './connection.ts'
import type { Driver } from './driver.ts'
import { cannotOpen } from './errors.ts'

/**
 * 32 MiB, in KiB, which a negative number means. The event loop and the thread for long reads have one each; a page that is not there
 * returns from the system's memory in microseconds.
 */
const READER_CACHE = -32_768
/**
 * 8 MiB. A commit that moved a page walks the whole cache of its connection, which with 64 MiB took longer than the rest of the
 * commit; a page evicted from a small cache returns from the system's memory in microseconds.
 */
const WRITER_CACHE = -8_192
/**
 * Pages in the write-ahead log before a commit also checkpoints them, 64 MiB. This is the upper bound: checkpoints.ts does it
 * sooner and in a thread, where it blocks nobody.
 */
const CHECKPOINT_PAGES = 16_000

export function openWriter(driver: Driver, path: string): Connection {
  return open(driver, path, false, (db) => {
    db.exec(`pragma journal_mode = wal; pragma synchronous = normal; pragma cache_size = ${WRITER_CACHE}; pragma temp_store = memory`)
    db.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}; pragma journal_size_limit = 67108864`)
    // Deleted data is overwritten, so that it does not remain in free pages of the file.
    db.exec('pragma secure_delete = on')
    assertDurable(db)
    // Data in the log of a killed process may be in the system's memory only, and later writes would be lost with it. So it goes
    // into the database, which
    // syncs both.
    db.get('pragma wal_checkpoint(truncate)')
  })
}

export function openReader(driver: Driver, path: string): Connection {
  return open(driver, path, true, (db) => db.exec(`pragma cache_size = ${READER_CACHE}; pragma temp_store = memory`))
}

function open(driver: Driver, path: string, readOnly: boolean, setUp: (db: Connection) => void): Connection {
  let db: Connection | undefined
  try {
    if (!readOnly) keepPrivate(path)
    db = new Connection(driver.open(path, { readOnly, timeout: 5_000 }))
    setUp(db)
    return db
  } catch (error) {
    db?.close()
    throw cannotOpen(path, error)
  }
}

/** Only the gateway's user may read all tenants' data, wherever the folder is. SQLite gives its log the mode of the database. */
function keepPrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
}

/** Refuses to run where an acknowledged write could be lost: some file systems cannot do WAL, some builds default to less. */
export function assertDurable(db: Connection): void {
  const journal = db.get('pragma journal_mode')?.journal_mode
  const synchronous = db.get('pragma synchronous')?.synchronous
  if (journal !== 'wal' || synchronous !== NORMAL)
    throw new Error(
      `The store cannot promise that a write survives a power cut here: journal_mode is ${String(journal)} (wal is needed), ` +
        `synchronous is ${String(synchronous)} (${NORMAL} is needed). Put the data folder on a local disk.`,
    )
}

/**
 * SQLite syncs the log when it restarts it and before it reads from it. It omits the sync at a commit, for which the writer
 * waits before it acknowledges the commit.
 */
const NORMAL = 1

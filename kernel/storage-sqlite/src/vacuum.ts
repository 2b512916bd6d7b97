import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { sync } from '@gateway/storage'
import type { Connection } from './connection.ts'

/** Writers wait while the database is written anew, about a second for so much. A larger one has to wait for the next start. */
export const VACUUM_AT_ONCE_BYTES = 256 * 2 ** 20

const noteOf = (path: string): string => `${path}.vacuum-owed`

/** The next start writes the database anew before it serves anybody. */
export function oweVacuum(path: string): void {
  writeFileSync(noteOf(path), '')
  sync(dirname(path))
}

export function vacuumOwed(db: Connection, path: string): void {
  if (!existsSync(noteOf(path))) return
  db.exec('vacuum')
  const log = db.get('pragma wal_checkpoint(truncate)')
  // Another program reads what was there before, and the log still has it: the start after this one.
  if (log?.busy === 0) rmSync(noteOf(path))
}

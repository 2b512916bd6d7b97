import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { sync } from '@gateway/storage'
import type { Connection } from './connection.ts'
import { mergeTextsNow } from './merge-texts.ts'

/** Writers wait while the database is rewritten, about a second for this much. A larger one waits for the next start. */
const MAX_IMMEDIATE_BYTES = 256 * 2 ** 20

/**
 * True if little enough is left in the database to rewrite it at once: the cost depends on its pages in use, not on the free
 * ones.
 */
export function canVacuumNow(db: Connection, atOnceBytes = MAX_IMMEDIATE_BYTES): boolean {
  const of = (pragma: string): number => db.get(`pragma ${pragma}`)?.[pragma] as number
  return (of('page_count') - of('freelist_count')) * of('page_size') <= atOnceBytes
}

const noteOf = (path: string): string => `${path}.vacuum-owed`

/** Makes the next start rewrite the database before it serves anybody. */
export function deferVacuumToStart(path: string): void {
  if (existsSync(noteOf(path))) return
  writeFileSync(noteOf(path), '')
  sync(dirname(path))
}

export function runDeferredVacuum(db: Connection, path: string): void {
  if (!existsSync(noteOf(path))) return
  mergeTextsNow(db)
  db.exec('vacuum')
  const log = db.get('pragma wal_checkpoint(truncate)')
  // Another program reads the old state and the log still has it; the start after this one tries again.
  if (log?.busy === 0) rmSync(noteOf(path))
}

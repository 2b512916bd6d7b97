import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { sync } from '@gateway/storage'
import type { HeavyWork } from './heavy.ts'

/** The copy appears under its name only when it is whole and on disk; from its first byte on it is for its owner alone. */
export async function backup(heavy: Pick<HeavyWork, 'rows'>, path: string): Promise<void> {
  if (existsSync(path)) throw new Error(`${path} exists already; a backup never overwrites a file.`)
  const partial = `${path}.partial`
  rmSync(partial, { force: true })
  try {
    // SQLite writes into an empty file that is there, and leaves its mode.
    writeFileSync(partial, '', { mode: 0o600 })
    await heavy.rows({ sql: 'vacuum into ?', params: [partial] })
    sync(partial)
    renameSync(partial, path)
    sync(dirname(path))
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}

import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { sync } from '@gateway/storage'
import type { HeavyWork } from './heavy.ts'

/** The copy gets its name only when it is complete and durable; from its first byte on only its owner can read it. */
export async function backup(heavy: Pick<HeavyWork, 'rows'>, path: string): Promise<void> {
  if (existsSync(path)) throw new Error(`${path} exists already; a backup never overwrites a file.`)
  const partial = `${path}.partial`
  rmSync(partial, { force: true })
  try {
    // SQLite writes into an existing empty file and keeps its mode.
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

import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { sync } from '@gateway/storage'
import type { HeavyWork } from './heavy.ts'

/** The copy appears under its name only when it is whole and on disk. */
export async function backup(heavy: Pick<HeavyWork, 'rows'>, path: string): Promise<void> {
  if (existsSync(path)) throw new Error(`${path} exists already; a backup never overwrites a file.`)
  const partial = `${path}.partial`
  rmSync(partial, { force: true })
  try {
    await heavy.rows({ sql: 'vacuum into ?', params: [partial] })
    sync(partial)
    renameSync(partial, path)
    sync(dirname(path))
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}

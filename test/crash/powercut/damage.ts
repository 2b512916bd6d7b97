import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'

/** What `PRAGMA integrity_check` finds in the databases of a folder nobody has open. Recovers them first, as any opening does. */
export function damage(folder: string): string[] {
  return databasesIn(folder).flatMap((path) => {
    const database = new DatabaseSync(path)
    const [verdict] = database.prepare('PRAGMA integrity_check(1)').all() as { integrity_check?: string }[]
    database.close()
    return verdict?.integrity_check === 'ok' ? [] : [`integrity_check: ${verdict?.integrity_check}`]
  })
}

/** By their first bytes, so that no name of the store’s is assumed. */
export function databasesIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.map((file) => join(file.parentPath, file.name)).filter((path) => beginningOf(path) === 'SQLite format')
}

/** Of a file that a running service has just renamed, none. */
function beginningOf(path: string): string | undefined {
  try {
    return readFileSync(path).subarray(0, 13).toString()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

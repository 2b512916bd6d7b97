import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'

/**
 * Returns the findings of `PRAGMA integrity_check` in the databases of a folder that is not open. Recovers them first, as any
 * opening does.
 */
export function damage(folder: string): string[] {
  return databasesIn(folder).flatMap((path) => {
    const database = new DatabaseSync(path)
    const [verdict] = database.prepare('PRAGMA integrity_check(1)').all() as { integrity_check?: string }[]
    database.close()
    return verdict?.integrity_check === 'ok' ? [] : [`integrity_check: ${verdict?.integrity_check}`]
  })
}

/** Finds databases by their first bytes, so that no name of the store's is assumed. */
export function databasesIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.map((file) => join(file.parentPath, file.name)).filter((path) => beginningOf(path) === 'SQLite format')
}

/** Returns undefined for a file that a running service has just renamed. */
function beginningOf(path: string): string | undefined {
  try {
    return readFileSync(path).subarray(0, 13).toString()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

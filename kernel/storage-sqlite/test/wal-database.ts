import { join } from 'node:path'
import { temporaryFolder } from '../../storage/test/temporary-folder.ts'
import { Connection } from '../src/connection.ts'
import { loadDriver } from '../src/driver.ts'

/** An empty database with a write-ahead log, one writing and one reading connection. */
export async function walDatabase() {
  const folder = temporaryFolder()
  const driver = await loadDriver()
  const path = join(folder.path, 'a.db')
  const db = new Connection(driver.open(path))
  db.exec('pragma journal_mode = wal')
  const reader = new Connection(driver.open(path, { readOnly: true }))
  return {
    path,
    db,
    reader,
    close() {
      reader.close()
      db.close()
      folder.remove()
    },
  }
}

import { copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { loadDriver } from '../../../kernel/storage-sqlite/src/driver.ts'

/** Returns files below a folder whose bytes or path contain a text. */
export function filesWith(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes(text) || (statSync(join(folder, name)).isFile() && readFileSync(join(folder, name)).includes(text)))
    .sort()
}

/** Returns the tables of a stopped store that contain an id. */
export async function tablesWith(database: string, id: string): Promise<readonly string[]> {
  const db = (await loadDriver()).open(database, { readOnly: true })
  try {
    const names = db.prepare("select name from sqlite_schema where type = 'table' and sql not like 'create virtual%'").all()
    return names
      .map(({ name }) => name as string)
      .filter((name) =>
        db
          .prepare(`select * from "${name}"`)
          .all()
          .some((row) => holds(row, id)),
      )
  } finally {
    db.close()
  }
}

const holds = (row: object, id: string): boolean =>
  Object.values(row).some((value) => (value instanceof Uint8Array ? Buffer.from(value).includes(id) : String(value).includes(id)))

/**
 * True if an id occurs in the bytes of a stopped store's file outside the rows of these tables: they are removed from a copy,
 * and overwritten there.
 */
export async function standsElsewhere(database: string, id: string, tables: readonly string[]): Promise<boolean> {
  const copy = `${database}.copy`
  copyFileSync(database, copy)
  const db = (await loadDriver()).open(copy, {})
  db.exec('pragma journal_mode = delete; pragma secure_delete = on')
  for (const table of tables) db.exec(`delete from "${table}"`)
  db.close()
  return readFileSync(copy).includes(id)
}

import { existsSync, realpathSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type Place, ROWS_PER_PAGE, type Row, type RowReader } from '@gateway/storage'
import { loadDriver } from './driver.ts'
import { IDENTITY } from './identity.ts'
import { LIMIT } from './limit.ts'
import { openReader } from './open-database.ts'
import { parse } from './row-writer.ts'

/** The embedded store of a data folder, read only and next to the service; `undefined` if the folder has no store. */
export async function sqliteRows(dataDir: string): Promise<RowReader | undefined> {
  const path = join(dataDir, 'store', 'gateway.db')
  if (!existsSync(path)) return undefined
  const db = openReader(await loadDriver(), path)
  const exists = (id: string): boolean => db.get(`select 1 from sqlite_schema where type = 'table' and name = ?`, [id]) !== undefined
  const page = (id: string, after: Place | undefined): readonly Row[] => {
    const beyond = after ? 'where (tenant, id) > (?, ?)' : ''
    const sql = `select tenant, id, doc from "${id}" ${beyond} order by tenant, id ${LIMIT}`
    const rows = db.all(sql, after ? [after.tenant, after.id, ROWS_PER_PAGE] : [ROWS_PER_PAGE])
    return rows.map((row): Row => ({ tenant: row.tenant as string, id: row.id as string, doc: parse(row) }))
  }
  return {
    identity: `sqlite:${hostname()}:${realpathSync(path)}`,
    async collections() {
      const sql = `select name from sqlite_schema where type = 'table' and name not glob '*:text*' and name not glob 'sqlite_*' and name <> '${IDENTITY}' order by name`
      const names = db.all(sql).map((row) => row.name as string)
      return names.filter((name) => db.get(`select 1 from "${name.replaceAll('"', '""')}" limit 1`) !== undefined)
    },
    async *pages({ id }, after) {
      if (!exists(id)) return
      for (let last = after; ; ) {
        const found = page(id, last)
        if (found.length > 0) yield found
        if (found.length < ROWS_PER_PAGE) return
        last = found.at(-1)
      }
    },
    async close() {
      db.close()
    },
  }
}

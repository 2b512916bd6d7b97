import type { CollectionRef } from '@gateway/sdk'
import { loadDriver, type Row } from './driver.ts'
import { openReader } from './open-database.ts'
import { parse } from './row-writer.ts'
import { columnsOf } from './schema.ts'
import { fieldValue, tableOf } from './table.ts'

function parsed(row: Row): Record<string, unknown> | undefined {
  try {
    return parse(row)
  } catch {
    return undefined
  }
}

/** Faults of a store's file as sentences; empty if it is sound. It only reads, so it may run next to a gateway. */
export async function checkIntegrity(path: string, refs: readonly CollectionRef[]): Promise<readonly string[]> {
  const driver = await loadDriver()
  const db = openReader(driver, path)
  try {
    const faults = db
      .all('pragma integrity_check')
      .map((row) => row.integrity_check as string)
      .filter((line) => line !== 'ok')
    for (const table of refs.map(tableOf)) {
      if (!db.get('select 1 from sqlite_schema where name = ?', [table.id])) continue
      // A new index of this version has no column before its first start.
      const present = new Set(columnsOf(db, table.name))
      const fields = [[table.key, 'id'] as const, ...[...table.columns].filter(([field]) => present.has(`_${field}`))]
      const next = `select pk, doc, ${fields.map(([, column]) => column).join(', ')} from ${table.name} where pk > ? order by pk limit 1000`
      for (let rows = db.all(next, [-1]); rows.length > 0; rows = db.all(next, [rows.at(-1)?.pk as number])) {
        for (const row of rows) {
          const doc = parsed(row)
          if (!doc) {
            faults.push(`${table.id}: the document of row ${String(row.pk)} is no JSON`)
            continue
          }
          for (const [field, column] of fields) {
            if (row[column.replaceAll('"', '')] !== fieldValue(doc, field))
              faults.push(`${table.id} ${JSON.stringify(doc[table.key])}: the column of ${field} differs from the document`)
          }
        }
      }
    }
    return faults
  } finally {
    db.close()
  }
}

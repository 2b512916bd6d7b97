import type { Connection } from './connection.ts'
import { LIMIT } from './limit.ts'
import { deleteRow } from './row-writer.ts'
import { columnOf } from './schema.ts'
import type { Table } from './table.ts'
import type { Writer } from './writer.ts'

/** Small enough that other writes of the same group hardly wait. */
const BATCH = 500

/** Removes expired documents in every tenant, in batches, and returns their number. */
export async function sweepExpired(writer: Writer, tables: Iterable<Table>): Promise<number> {
  let removed = 0
  for (const table of tables) {
    for (const index of table.indexes) {
      if (index.expireAfterSeconds === undefined) continue
      const age = index.expireAfterSeconds * 1000
      const field = index.keys[0]?.field as string
      for (let batch = BATCH; batch === BATCH; removed += batch) {
        batch = await writer.write((db, nowMs) => removeBatch(db, table, field, new Date(nowMs - age).toISOString()))
      }
    }
  }
  return removed
}

function removeBatch(db: Connection, table: Table, field: string, until: string): number {
  const column = columnOf(table, field)
  const sql = `select pk from ${table.name} where ${column} >= '' and ${column} <= ? ${LIMIT}`
  const rows = db.all(sql, [until, BATCH])
  for (const row of rows) deleteRow(db, table, row)
  return rows.length
}

import type { Connection } from './connection.ts'
import type { SqlValue } from './driver.ts'
import type { HeavyWork } from './heavy.ts'
import { acrossTables } from './tenant-tables.ts'
import type { Writer } from './writer.ts'

/** Longest time that one batch holds the writer if documents are large. */
const BATCH_MS = 4
/** Minimum of a batch: on a busy machine it would otherwise be a single document, with its own sync. */
const MIN_REMOVED = 20

/**
 * Documents of a tenant by collection, without empty ones. It asks the tables of the database instead of the declarations: data
 * of a family that is switched off belongs to the tenant too.
 */
export async function countsOf(db: Connection, heavy: HeavyWork, tenant: string): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {}
  for (const { id, name } of acrossTables(db)) {
    const [row] = await heavy.rows({ sql: `select count(*) as n from ${name} where tenant = ?`, params: [tenant] })
    if ((row?.n as number) > 0) counts[id] = row?.n as number
  }
  return counts
}

/** Removes at most this many documents of a tenant, within the time of a batch except for a few; 0 when none are left. */
export function removeSome(writer: Writer, tenant: string, limit: number): Promise<number> {
  return writer.write((db) => db.whole(() => removeBatch(db, tenant, limit)))
}

function removeBatch(db: Connection, tenant: string, limit: number): number {
  const until = performance.now() + BATCH_MS
  db.texts.write(db)
  let removed = 0
  for (const { name, textName } of acrossTables(db)) {
    const rows = db.all(`select pk from ${name} where tenant = ? limit ?`, [tenant, limit - removed])
    for (const { pk } of rows) {
      db.do(`delete from ${name} where pk = ?`, [pk as SqlValue])
      if (textName !== undefined) db.do(`delete from ${textName} where rowid = ?`, [pk as SqlValue])
      removed += 1
      if (removed >= MIN_REMOVED && performance.now() >= until) return removed
    }
    if (removed >= limit) return removed
  }
  return removed
}

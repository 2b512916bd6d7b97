import type { Connection } from './connection.ts'
import type { SqlValue } from './driver.ts'
import type { HeavyWork } from './heavy.ts'
import { acrossTables } from './tenant-tables.ts'
import type { Writer } from './writer.ts'

/** The longest that one batch keeps the writer, where documents are large. */
const BATCH_MS = 4
/** So many go in any case: on a machine that is busy a batch would else be a single one, with a sync of its own. */
const LEAST = 20

/**
 * Documents of a tenant by collection, without those that are empty. It asks the tables of the database rather than the
 * declarations: what a family that is switched off has kept is the tenant’s as well.
 */
export async function countsOf(db: Connection, heavy: HeavyWork, tenant: string): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {}
  for (const { id, name } of acrossTables(db)) {
    const [row] = await heavy.rows({ sql: `select count(*) as n from ${name} where tenant = ?`, params: [tenant] })
    if ((row?.n as number) > 0) counts[id] = row?.n as number
  }
  return counts
}

/** At most so many documents of a tenant, and no more than the time of a batch allows but for a few; 0 when there are none left. */
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
      if (removed >= LEAST && performance.now() >= until) return removed
    }
    if (removed >= limit) return removed
  }
  return removed
}

import { setTimeout as after } from 'node:timers/promises'
import type { Connection } from './connection.ts'
import type { Table } from './table.ts'
import { acrossTables } from './tenant-tables.ts'
import type { Writer } from './writer.ts'

const PAGES_PER_MERGE_STEP = 32
/** Limit of one run, 64 MiB: a larger index continues at the next one. */
const MAX_STEPS = 500

/** Words of a removed document stay in its text index until their segments are merged: all of them are, a step at a time. */
export async function mergeTexts(writer: Writer): Promise<void> {
  const names = await writer.write((db) => acrossTables(db).flatMap(({ textName }) => (textName === undefined ? [] : [textName])))
  for (const name of names) await merge(writer, name, -PAGES_PER_MERGE_STEP, Number.POSITIVE_INFINITY)
}

/** The same at a start, when nobody else writes. */
export function mergeTextsNow(db: Connection): void {
  for (const { textName } of acrossTables(db))
    if (textName !== undefined) db.exec(`insert into ${textName} (${textName}) values ('optimize')`)
}

/**
 * Each write leaves a segment in the text index, and a search looks into every one for each word. FTS5 itself merges four of
 * equal size: a dozen segments for 100,000 documents. Here two of equal size are merged, which halves the cost of a search and
 * would make writing more expensive if it were done at each write.
 */
export async function tidyTexts(writer: Writer, tables: Iterable<Table>): Promise<void> {
  for (const { text, textName, texts } of tables) {
    if (text.length === 0 || !texts.changed) continue
    texts.changed = false
    if (!(await merge(writer, textName, PAGES_PER_MERGE_STEP, MAX_STEPS))) texts.changed = true
  }
}

/**
 * True if nothing was left after this many steps. A negative number of pages merges all segments into one, whatever their sizes.
 */
async function merge(writer: Writer, name: string, first: number, steps: number): Promise<boolean> {
  for (let step = 0, pages = first; step < steps; step++, pages = Math.abs(first)) {
    const startedAt = performance.now()
    const moved = await writer.write((db) => {
      const before = changes(db)
      db.do(`insert into ${name} (${name}, rank) values ('merge', ?)`, [pages])
      return changes(db) - before
    })
    // A single change is the statement itself.
    if (moved <= 1) return true
    // Other writers have the writer for as long as the step took.
    await after(performance.now() - startedAt)
  }
  return false
}

const changes = (db: Connection): number => db.get('select total_changes() as n')?.n as number

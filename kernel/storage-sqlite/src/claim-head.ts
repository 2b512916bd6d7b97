import { type Doc, matches } from '@gateway/storage'
import type { Connection } from './connection.ts'
import type { Row } from './driver.ts'
import { rowsOf, type Selection, type Statement, selectRows, shapedStatement } from './select.ts'
import type { Table } from './table.ts'

/** State shared by the writes of one group; nothing else is written while it runs. */
export interface Group {
  /** Number of writes and transactions begun. */
  units: number
  ahead?: Ahead | undefined
}

interface Ahead {
  readonly table: Table
  readonly statement: Statement
  readonly rows: readonly Row[]
  readonly limit: number
  taken: number
  /** The claim that took the last one. */
  unit: number
}

/** Bounded, because they are whole documents. */
const MAX_AHEAD = 32

/**
 * Runs `claim` on the first row of a queue. Claims of one queue come in bursts, and finding its first row costs several times
 * as much as reading on. A claim in the unit right after one of the same queue takes the next row, and when no more are read, reads
 * twice as many. After any other write to the collection, a unit without a claim or undone, or a claim that left its document in the
 * queue, the next claim searches again.
 */
export function claimHead(db: Connection, selection: Selection, group: Group | undefined, claim: (row: Row) => Doc): Doc | undefined {
  const statement = group && shapedStatement(selection)
  if (!statement) {
    const [row] = selectRows(db, selection, 1)
    return row && claim(row)
  }
  const ahead = readAhead(db, selection.table, statement, group)
  group.ahead = undefined
  const row = ahead.rows[ahead.taken]
  if (!row) return undefined
  const claimed = claim(row)
  ahead.taken++
  ahead.unit = group.units
  if (!matches(claimed, selection.where, selection.nowMs)) group.ahead = ahead
  return claimed
}

function readAhead(db: Connection, table: Table, statement: Statement, { ahead, units }: Group): Ahead {
  let limit = 1
  if (ahead && ahead.unit === units - 1 && isSame(ahead.statement, statement)) {
    const isEnd = ahead.rows.length < ahead.limit
    if (isEnd || ahead.taken < ahead.rows.length) return ahead
    limit = Math.min(ahead.limit * 2, MAX_AHEAD)
  }
  return { table, statement, rows: rowsOf(db, statement, limit), limit, taken: 0, unit: units }
}

/** Rows read ahead may no longer be the first ones once their collection is written to. */
export function noteWrite(table: Table, group: Group | undefined): void {
  if (group?.ahead?.table === table) group.ahead = undefined
}

function isSame(a: Statement, b: Statement): boolean {
  return a.sql === b.sql && a.params.every((value, index) => value === b.params[index])
}

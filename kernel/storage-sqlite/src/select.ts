import { PageRows, type SortKey } from '@gateway/storage'
import type { Connection } from './connection.ts'
import type { Row, SqlValue } from './driver.ts'
import { equalSql, filterToSql, type Pinned } from './filter-to-sql.ts'
import { LIMIT } from './limit.ts'
import { planOf } from './plan.ts'
import { shapeOf } from './shape.ts'
import { fieldSql, type Table } from './table.ts'

export interface Selection {
  readonly table: Table
  readonly tenant: string
  readonly where: object | undefined
  readonly order: readonly SortKey[]
  /** Values of `order` of the document to start after. */
  readonly after?: readonly SqlValue[]
  readonly nowMs: number
}

export interface Statement {
  readonly sql: string
  readonly params: readonly SqlValue[]
}

/** Rows of `pk` and `doc`, in order. */
export function selectRows(db: Connection, selection: Selection, limit: number): readonly Row[] {
  const shaped = shapedStatement(selection)
  if (shaped) return rowsOf(db, shaped, limit)
  const rows: Row[] = []
  for (const statement of selectStatements(selection)) {
    const params = [...statement.params, limit - rows.length]
    const more = db.all(statement.sql, params)
    if (rows.length === 0 && more.length === limit) return more
    rows.push(...more)
    if (rows.length >= limit) break
  }
  return rows
}

/** Like `selectRows`, but ends early if the documents are large. */
export function selectPage(db: Connection, selection: Selection, limit: number, maxBytes: number): PageRows<Row> {
  const page = new PageRows<Row>(limit, maxBytes)
  for (const { sql, params } of selectStatements(selection)) {
    for (const row of db.each(sql, [...params, limit + 1 - page.rows.length])) {
      if (!page.add(row, Buffer.byteLength(row.doc as string))) return page
    }
  }
  return page
}

/** The statement of a selection from the start whose filter only compares; it lacks its last parameter, the limit. */
export function shapedStatement(selection: Selection): Statement | undefined {
  if (selection.after) return undefined
  const shaped = shapeOf(selection.table.selects.root, selection.where, selection.nowMs)
  if (!shaped) return undefined
  let { shape } = shaped
  for (const { field, direction } of selection.order) shape = shape.to(field).to(direction === 1 ? 'ascending' : 'descending')
  // Choosing an index costs more than a seek in it.
  shape.sql ??= (selectStatements(selection)[0] as Statement).sql
  return { sql: shape.sql, params: [selection.tenant, ...shaped.values] }
}

export function rowsOf(db: Connection, { sql, params }: Statement, limit: number): readonly Row[] {
  if (limit > 1) return db.all(sql, [...params, limit])
  // A claim needs one row; a list of it in the driver costs three times as much.
  const row = db.get(sql, [...params, limit])
  return row ? [row] : []
}

/** Statements whose results, one after the other, are the answer; each lacks its last parameter, the limit. */
export function selectStatements(selection: Selection): readonly Statement[] {
  const { table, order, after } = selection
  const { index, pins } = planOf(table, selection.where, order, selection.nowMs)
  const from = index ? `${table.name} indexed by "${index.name}"` : table.name
  const segments = after ? segmentsAfter(table, order, after) : [noSegment]
  return segments.map((segment) => {
    const params: SqlValue[] = []
    if (pins.length === 0) {
      const sql = `select pk, doc ${fromWhere(from, selection, segment, params)} order by ${orderSql(table, order)} ${LIMIT}`
      return { sql, params }
    }
    const keys = order.map((key) => fieldSql(table, key.field)).join(', ')
    const branches = pins.map((pinned) => `select pk, doc, ${keys} ${fromWhere(from, selection, segment, params, pinned)}`)
    // The order is by position, because expressions have no names in a compound select. 1 and 2 are pk and doc.
    const positions = order.map((key, i) => `${i + 3}${key.direction === 1 ? '' : ' desc'}`).join(', ')
    return { sql: `${branches.join(' union all ')} order by ${positions} ${LIMIT}`, params }
  })
}

function fromWhere(from: string, selection: Selection, segment: Segment, params: SqlValue[], pinned?: Pinned): string {
  const { table, tenant, where, nowMs } = selection
  params.push(tenant)
  return `from ${from} where tenant = ?${filterToSql(table, where, nowMs, params, pinned)}${segment(params)}`
}

function orderSql(table: Table, order: readonly SortKey[]): string {
  let sql = ''
  for (const { field, direction } of order) {
    sql += `${sql === '' ? '' : ', '}${fieldSql(table, field)}${direction === 1 ? '' : ' desc'}`
  }
  return sql
}

type Segment = (params: SqlValue[]) => string
const noSegment: Segment = () => ''

/**
 * Documents after a position (a, b, id), in order: first the rest of (a, b), then the rest of a, then those after a. Each is
 * one range on one key behind equalities, and so a seek in the index that serves the order; one condition with `or` would walk
 * over all earlier pages. Null comes before every value, hence last when descending.
 */
function segmentsAfter(table: Table, order: readonly SortKey[], after: readonly SqlValue[]): readonly Segment[] {
  const segments: Segment[] = []
  for (let last = order.length - 1; last >= 0; last--) {
    for (const beyond of beyondSql(order[last] as SortKey, after[last] as SqlValue)) {
      segments.push((params) => {
        let sql = ''
        for (let i = 0; i < last; i++) {
          sql += ` and ${equalSql(fieldSql(table, (order[i] as SortKey).field), after[i] as SqlValue, params)}`
        }
        return `${sql} and ${beyond(fieldSql(table, (order[last] as SortKey).field), params)}`
      })
    }
  }
  return segments
}

type Beyond = (column: string, params: SqlValue[]) => string

function beyondSql({ direction }: SortKey, value: SqlValue): readonly Beyond[] {
  const range =
    (comparison: string): Beyond =>
    (column, params) => {
      params.push(value)
      return `${column} ${comparison} ?`
    }
  if (direction === 1) return value === null ? [(column) => `${column} is not null`] : [range('>')]
  return value === null ? [] : [range('<'), (column) => `${column} is null`]
}

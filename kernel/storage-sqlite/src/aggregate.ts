import type { Group, GroupQuery } from '@gateway/sdk'
import { badField, checkField, type Scalar } from '@gateway/storage'
import type { Connection } from './connection.ts'
import type { Row, SqlValue } from './driver.ts'
import { filterToSql } from './filter-to-sql.ts'
import { LIMIT } from './limit.ts'
import type { Statement } from './select.ts'
import { fieldSql, type Table } from './table.ts'

export function countSql(table: Table, tenant: string, where: object | undefined, max: number | undefined, nowMs: number): Statement {
  const params: SqlValue[] = [tenant]
  const matching = `from ${table.name} where tenant = ?${filterToSql(table, where, nowMs, params)}`
  if (max === undefined) return { sql: `select count(*) as count ${matching}`, params }
  if (!Number.isInteger(max) || max < 0) throw badField('max', `expected an integer from 0; got ${JSON.stringify(max)}`)
  return { sql: `select count(*) as count from (select 1 ${matching} ${LIMIT})`, params: [...params, max] }
}

/** In a collection of many tenants the documents of one are scattered, up to a page each. */
const FEW = 500

/** True if a tenant has at most this many documents, or fewer than a smaller bound. It reads only the index, up to the bound. */
export function isFew(db: Connection, table: Table, tenant: string, bound = FEW): boolean {
  const few = Math.min(bound, FEW)
  if (few < 0) return false
  const { sql, params } = countSql(table, tenant, undefined, few + 1, 0)
  return (db.get(sql, params)?.count as number) <= few
}

export function groupSql(table: Table, tenant: string, query: GroupQuery<Record<string, unknown>>, nowMs: number): Statement {
  const params: SqlValue[] = [tenant]
  const keys = query.by.map((field) => fieldSql(table, checkField(field)))
  // total() instead of sum(), because an integer sum beyond 64 bits is an error.
  const sums = (query.sum ?? []).map((field) => `total(${fieldSql(table, checkField(field))})`)
  const columns = [...keys.map((key, i) => `${readable(key)} as k${i}`), ...sums.map((sum, i) => `${sum} as s${i}`), 'count(*) as count']
  const matching = `from ${table.name} where tenant = ?${filterToSql(table, query.where, nowMs, params)}`
  const grouping =
    keys.length === 0 ? 'having count(*) > 0' : `group by ${keys.join(', ')} order by ${keys.map((_, i) => `k${i}`).join(', ')}`
  return { sql: `select ${columns.join(', ')} ${matching} ${grouping}`, params }
}

/** `json_extract` makes 64-bit integers of integers; the driver refuses values that a JavaScript number cannot hold. */
function readable(key: string): string {
  return key.startsWith('json_extract') ? `iif(typeof(${key}) = 'integer', cast(${key} as real), ${key})` : key
}

export function groupsOf(table: Table, query: GroupQuery<Record<string, unknown>>, rows: readonly Row[]): readonly Group[] {
  return rows.map((row) => ({
    key: query.by.map((field, i) => fromColumn(table, field, row[`k${i}`])),
    count: row.count as number,
    sums: Object.fromEntries((query.sum ?? []).map((field, i) => [field, row[`s${i}`] as number])),
  }))
}

/** Seeks the next distinct value from the last, so that the cost grows with the values and not with the documents. */
export function distinctSql(table: Table, tenant: string, field: string, where: object | undefined, nowMs: number): Statement {
  if (field !== table.key && !table.columns.has(field)) throw badField(field, `distinct needs an index of ${table.id} on it`)
  const column = fieldSql(table, field)
  const params: SqlValue[] = []
  const first = (): string => {
    params.push(tenant)
    const filter = filterToSql(table, where, nowMs, params)
    return `select ${column} from ${table.name} where tenant = ?${filter} and ${column}`
  }
  const sql = `with recursive found(value) as (
    select * from (${first()} is not null order by ${column} limit 1)
    union all
    select (${first()} > found.value order by ${column} limit 1) from found where found.value is not null
  ) select value from found where value is not null`
  return { sql, params }
}

export function distinctValues(table: Table, field: string, rows: readonly Row[]): readonly (Scalar | null)[] {
  return rows.map((row) => fromColumn(table, field, row.value))
}

function fromColumn(table: Table, field: string, value: unknown): Scalar | null {
  return table.booleans.has(field) && typeof value === 'number' ? value === 1 : (value as Scalar | null)
}

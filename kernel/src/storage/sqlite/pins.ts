import { eachCondition } from '../conditions.ts'
import type { SortKey } from '../sort.ts'
import type { SqlValue } from './driver.ts'
import type { Pinned } from './filter-to-sql.ts'
import { columnValue, type Table, type TableIndex } from './table.ts'

/** More branches than this cost more than the sorting they save. */
const MAX_BRANCHES = 64

const none: readonly Pinned[] = []

/**
 * Where a filter has `in` on fields in front of the sort fields of an index, SQLite would fetch and sort all matches. Per
 * value they lie sorted in the index: the answer is one branch for each combination of values, merged. Returns the
 * combinations, or none when no index gains by it.
 */
export function pinsFor(table: Table, where: object | undefined, order: readonly SortKey[], nowMs: number): readonly Pinned[] {
  const lists = listedFields(table, where)
  if (lists.length === 0) return none
  const equal = equalFields(where)
  for (const index of table.indexes) {
    const split = fieldsBeforeOrder(index, order, (field) => equal.has(field) || lists.includes(field))
    const pinned = split?.filter((field) => lists.includes(field)) ?? []
    if (pinned.length > 0) return combinations(pinned, where as Readonly<Record<string, unknown>>, nowMs)
  }
  return none
}

/** The fields of an index that stand before the order it serves; `undefined` when it does not serve the order. */
function fieldsBeforeOrder(index: TableIndex, order: readonly SortKey[], fixed: (field: string) => boolean): string[] | undefined {
  const before = index.keys.findIndex((key) => !fixed(key.field))
  const count = before === -1 ? index.keys.length : before
  const rest = index.keys.slice(count)
  const wanted = order.filter((key) => !fixed(key.field))
  const flip = rest.length > 0 && rest[0]?.direction !== wanted[0]?.direction ? -1 : 1
  const serves =
    rest.length === wanted.length - 1 &&
    rest.every((key, i) => key.field === wanted[i]?.field && key.direction === flip * (wanted[i]?.direction ?? 0))
  return serves ? index.keys.slice(0, count).map((key) => key.field) : undefined
}

function listedFields(table: Table, where: object | undefined): readonly string[] {
  const fields: string[] = []
  for (const field in where) {
    const entry = (where as Readonly<Record<string, unknown>>)[field]
    if (typeof entry === 'object' && entry !== null && Array.isArray((entry as { in?: unknown }).in) && table.columns.has(field)) fields.push(field)
  }
  return fields
}

function equalFields(where: object | undefined): ReadonlySet<string> {
  const fields = new Set<string>()
  for (const [field, entry] of Object.entries(where ?? {})) {
    if (typeof entry !== 'object' || entry === null || 'eq' in entry || '$now' in entry) fields.add(field)
  }
  return fields
}

function combinations(fields: readonly string[], where: Readonly<Record<string, unknown>>, nowMs: number): readonly Pinned[] {
  let all: Map<string, SqlValue>[] = [new Map()]
  for (const field of fields) {
    const values = new Set<SqlValue>()
    eachCondition(field, where[field], nowMs, (operator, operand) => {
      if (operator === 'in') for (const value of operand as unknown[]) values.add(columnValue(value))
    })
    // One value is an equality to SQLite already; an empty list has no branch to write.
    if (all.length * values.size > MAX_BRANCHES || values.size === 0) return none
    all = all.flatMap((pinned) => [...values].map((value) => new Map(pinned).set(field, value)))
  }
  return all.length > 1 ? all : none
}

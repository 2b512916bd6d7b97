import { type DeclaredIndex, eachCondition, type SortKey } from '@gateway/storage'
import type { SqlValue } from './driver.ts'
import type { Pinned } from './filter-to-sql.ts'
import { columnValue, type Table } from './table.ts'

/** The index that gives the answer in its order, and the values of its leading fields. */
export interface Plan {
  readonly index: DeclaredIndex | undefined
  /** The branches, one for each value; empty if the leading fields have one value each anyway. */
  readonly pins: readonly Pinned[]
}

/** More branches than this cost more than the sort they save. */
const MAX_BRANCHES = 64
const byPlanner: Plan = { index: undefined, pins: [] }

/**
 * SQLite does not know these limits and keeps no statistics: given `createdAt <= now` it uses an index on that and sorts a
 * million matches for the first of them; given a rare value and a sort it may walk a million in order to find it. So the index
 * is chosen here: the one that holds the wanted order behind the most fields that the filter fixes; otherwise the one that
 * narrows most; otherwise one that at least holds the order. If the filter lists values for a field in front of the order
 * (`in`), matches are in order only per value, and the answer is a branch for each combination, merged.
 */
export function planOf(table: Table, where: object | undefined, order: readonly SortKey[], nowMs: number): Plan {
  const fields = fieldsOf(table, where)
  if (fields.byId) return byPlanner
  let ordered: DeclaredIndex | undefined
  let fixed: readonly string[] = []
  let narrow: DeclaredIndex | undefined
  let narrowed = 0
  for (const index of table.indexes) {
    if (index.present !== undefined && !fields.present.has(index.present)) continue
    const before = fixedBefore(table, index, order, fields)
    if (before && (!ordered || before.length > fixed.length)) {
      ordered = index
      fixed = before
    }
    const leading = leadingFields(index, fields.narrowed)
    if (leading > narrowed) {
      narrow = index
      narrowed = leading
    }
  }
  if (ordered && (fixed.length > 0 || !narrow || fields.bounded.has((ordered.keys[0] as SortKey).field))) {
    const listed = fixed.filter((field) => fields.listed.has(field))
    const pins = combinations(listed, where as Entries, nowMs)
    if (pins) return { index: ordered, pins }
  }
  return { index: narrow, pins: [] }
}

type Entries = Readonly<Record<string, unknown>>

interface Fields {
  /** Fixed at one value, or at each of several. */
  readonly fixed: Set<string>
  readonly listed: Set<string>
  /** The fixed fields, and those with lists that cannot be used for branches. */
  readonly narrowed: Set<string>
  readonly bounded: Set<string>
  /** Cannot be null where the filter holds, in a way that SQLite recognises. */
  readonly present: Set<string>
  /** The filter names the id, whose index SQLite uses by itself. */
  byId: boolean
}

function fieldsOf(table: Table, where: object | undefined): Fields {
  const fields = { fixed: new Set<string>(), listed: new Set<string>(), narrowed: new Set<string>(), bounded: new Set<string>() }
  return collectFields(table, where, { ...fields, present: new Set(), byId: false }, true)
}

function collectFields(table: Table, where: object | undefined, fields: Fields, outermost: boolean): Fields {
  for (const field in where) {
    const entry = (where as Entries)[field]
    if (entry === undefined) continue
    if (field === 'and') for (const part of entry as readonly object[]) collectFields(table, part, fields, false)
    if (field === table.key) fields.byId = true
    if (table.columns.has(field)) collectField(field, entry, fields, outermost)
  }
  return fields
}

function collectField(field: string, entry: unknown, fields: Fields, outermost: boolean): void {
  const plain = typeof entry !== 'object' || entry === null || '$now' in entry
  const { eq, in: list, lt, lte, gt, gte, prefix, exists } = (plain ? { eq: entry } : entry) as Entries
  const isListed = eq === undefined && Array.isArray(list)
  if (eq !== undefined || isListed) fields.narrowed.add(field)
  // Inside an `and` a field may have several lists, none of which alone gives the values to branch on.
  if (eq !== undefined || (isListed && outermost)) fields.fixed.add(field)
  if (isListed && outermost) fields.listed.add(field)
  if ((lt ?? lte ?? gt ?? gte ?? prefix) !== undefined) fields.bounded.add(field)
  if (exists === true || (eq ?? null) !== null || fields.bounded.has(field)) fields.present.add(field)
}

function leadingFields(index: DeclaredIndex, fields: ReadonlySet<string>): number {
  const first = index.keys.findIndex((key) => !fields.has(key.field))
  return first === -1 ? index.keys.length : first
}

/** The fixed fields that an index has in front of the order it serves; `undefined` if it does not serve the order. */
function fixedBefore(table: Table, index: DeclaredIndex, order: readonly SortKey[], fields: Fields): readonly string[] | undefined {
  // A unique index has no id in it to break ties with.
  if (index.unique) return undefined
  // The id may be named as the last key; it is there anyway.
  const length = index.keys.at(-1)?.field === table.key ? index.keys.length - 1 : index.keys.length
  let next = 0
  while (next < length && fields.fixed.has((index.keys[next] as SortKey).field)) next++
  const flip = (index.keys.at(-1) as SortKey).direction === (order.at(-1) as SortKey).direction ? 1 : -1
  let at = next
  for (let i = 0; i < order.length - 1; i++) {
    const wanted = order[i] as SortKey
    if (fields.fixed.has(wanted.field)) continue
    const key = index.keys[at++]
    if (key?.field !== wanted.field || key.direction !== wanted.direction * flip) return undefined
  }
  return at === length ? index.keys.slice(0, next).map((key) => key.field) : undefined
}

/**
 * Every combination of the listed values; empty for a single one, which SQLite treats as an equality; `undefined` for too many.
 */
function combinations(fields: readonly string[], where: Entries, nowMs: number): readonly Pinned[] | undefined {
  let all: Map<string, SqlValue>[] = [new Map()]
  for (const field of fields) {
    const values = new Set<SqlValue>()
    eachCondition(field, where[field], nowMs, (operator, operand) => {
      if (operator === 'in') for (const value of operand as unknown[]) values.add(columnValue(value))
    })
    if (all.length * values.size > MAX_BRANCHES || values.size === 0) return undefined
    all = all.flatMap((pinned) => [...values].map((value) => new Map(pinned).set(field, value)))
  }
  return all.length > 1 ? all : []
}

import { eachCondition } from '../conditions.ts'
import type { SortKey } from '../sort.ts'
import type { SqlValue } from './driver.ts'
import type { Pinned } from './filter-to-sql.ts'
import { columnValue, type Table, type TableIndex } from './table.ts'

/** Which index gives the answer in its order, and the values its leading fields are held at. */
export interface Plan {
  readonly index: TableIndex | undefined
  /** One branch for each; empty when the leading fields have one value each anyway. */
  readonly pins: readonly Pinned[]
}

/** More branches than this cost more than the sorting they save. */
const MAX_BRANCHES = 64
const byPlanner: Plan = { index: undefined, pins: [] }

/**
 * SQLite knows nothing of a limit when it chooses an index: given `createdAt <= now` it takes an index on that and sorts
 * a million matches for the first of them. So an index that holds the wanted order behind fields the filter fixes is
 * chosen here. And where the filter lists values for such a field (`in`), the matches lie in order per value only: the
 * answer is a branch for each combination of values, merged.
 */
export function planOf(table: Table, where: object | undefined, order: readonly SortKey[], nowMs: number): Plan {
  const fields = fieldsOf(table, where)
  let best: TableIndex | undefined
  let bestFixed: readonly string[] = []
  for (const index of table.indexes) {
    const fixed = fixedBefore(table, index, order, fields)
    // One that narrows nothing is left alone where another narrows: it would be walked from end to end for a rare match.
    const narrows = fixed && (fixed.length > 0 || fields.bounded.has((index.keys[0] as SortKey).field))
    if (fixed && (narrows || !fields.narrow) && (!best || fixed.length > bestFixed.length)) {
      best = index
      bestFixed = fixed
    }
  }
  if (!best) return byPlanner
  const listed = bestFixed.filter((field) => fields.listed.has(field))
  const pins = listed.length === 0 ? [] : combinations(listed, where as Entries, nowMs)
  return pins ? { index: best, pins } : byPlanner
}

type Entries = Readonly<Record<string, unknown>>

interface Fields {
  /** Held at one value, or at each of several. */
  readonly fixed: ReadonlySet<string>
  readonly listed: ReadonlySet<string>
  readonly bounded: ReadonlySet<string>
  /** Cannot be null where the filter holds, in a way SQLite sees. */
  readonly present: ReadonlySet<string>
  /** Whether some index can narrow the matches down, in whatever order. */
  readonly narrow: boolean
}

function fieldsOf(table: Table, where: object | undefined): Fields {
  const fixed = new Set<string>()
  const listed = new Set<string>()
  const bounded = new Set<string>()
  const present = new Set<string>()
  let byOther = false
  for (const field in where) {
    byOther ||= field === table.key || field === 'or'
    if (!table.columns.has(field)) continue
    const entry = (where as Entries)[field]
    if (entry === undefined) continue
    if (typeof entry !== 'object' || entry === null || '$now' in entry) {
      fixed.add(field)
      if (entry !== null) present.add(field)
      continue
    }
    const { eq, in: list, lt, lte, gt, gte, prefix, exists } = entry as Entries
    if (eq !== undefined || Array.isArray(list)) fixed.add(field)
    if (eq === undefined && Array.isArray(list)) listed.add(field)
    if ((lt ?? lte ?? gt ?? gte ?? prefix) !== undefined) bounded.add(field)
    if (exists === true || (eq ?? null) !== null || bounded.has(field)) present.add(field)
  }
  return { fixed, listed, bounded, present, narrow: fixed.size > 0 || byOther }
}

/** The fixed fields an index has in front of the order it serves; `undefined` when it does not serve the order. */
function fixedBefore(table: Table, index: TableIndex, order: readonly SortKey[], fields: Fields): readonly string[] | undefined {
  // A unique index has no id in it to break ties with.
  if (index.unique || (index.present !== undefined && !fields.present.has(index.present))) return undefined
  // The id may be named as the last key; it stands there anyway.
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

/** Every combination of the listed values; none for a single one, which SQLite takes for an equality; `undefined` for too many. */
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

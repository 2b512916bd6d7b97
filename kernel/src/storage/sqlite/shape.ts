import { isStoreTime, resolveTime } from '../store-time.ts'
import type { SqlValue } from './driver.ts'
import { columnValue } from './table.ts'

/** A filter whose statement depends on its shape alone: equal shapes differ in their parameters only. */
export interface Shaped {
  readonly shape: string
  /** In the order in which the statement takes them. */
  readonly values: readonly SqlValue[]
}

const COMPARISONS: ReadonlySet<string> = new Set(['eq', 'lt', 'lte', 'gt', 'gte'])
const COMBINATORS: ReadonlySet<string> = new Set(['and', 'or', 'not'])

/**
 * The shape of a filter that only compares fields with plain values; undefined when it is anything more (lists, null,
 * `exists`, texts, `and`, `or`, `not`), or wrong.
 */
export function shapeOf(where: object | undefined, nowMs: number): Shaped | undefined {
  let shape = ''
  const values: SqlValue[] = []
  /** Takes one comparison in; false when its value is not plain. */
  const compare = (name: string, operand: unknown): boolean => {
    const value = isStoreTime(operand) ? resolveTime(operand, nowMs) : operand
    // A range over strings and one over numbers are different statements.
    if (typeof value === 'string') shape += `${name}\n`
    else if (typeof value === 'boolean' || Number.isFinite(value)) shape += `${name} n\n`
    else return false
    values.push(columnValue(value))
    return true
  }
  for (const field in where) {
    const entry = (where as Readonly<Record<string, unknown>>)[field]
    if (entry === undefined) continue
    if (COMBINATORS.has(field)) return undefined
    if (typeof entry !== 'object' || entry === null || isStoreTime(entry)) {
      if (!compare(field, entry)) return undefined
      continue
    }
    for (const operator in entry) {
      const operand = (entry as Readonly<Record<string, unknown>>)[operator]
      if (operand === undefined) continue
      if (!COMPARISONS.has(operator) || !compare(`${field} ${operator}`, operand)) return undefined
    }
  }
  return { shape, values }
}

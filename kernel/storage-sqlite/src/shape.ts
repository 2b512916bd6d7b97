import { isStoreTime, resolveTime } from '@gateway/storage'
import type { SqlValue } from './driver.ts'
import type { SqlNode } from './sql-cache.ts'
import { columnValue } from './table.ts'

/** A filter whose statement depends only on its shape: equal shapes differ only in their parameters. */
export interface Shaped {
  readonly shape: SqlNode
  /** In the order in which the statement takes them. */
  readonly values: readonly SqlValue[]
}

/** Names of each operator in a shape, for a text and for a number, which give different statements. */
const COMPARISONS: ReadonlyMap<string, readonly [string, string]> = new Map(
  ['eq', 'lt', 'lte', 'gt', 'gte'].map((operator) => [operator, [operator, `${operator} number`]]),
)
const COMBINATORS: ReadonlySet<string> = new Set(['and', 'or', 'not'])

/**
 * The shape of a filter that only compares fields with plain values, as a path from `root`; undefined if the filter has
 * anything else (lists, null, `exists`, texts, `and`, `or`, `not`), or is wrong.
 */
export function shapeOf(root: SqlNode, where: object | undefined, nowMs: number): Shaped | undefined {
  let shape = root
  const values: SqlValue[] = []
  /** Adds one comparison; false if it is not a comparison with a plain value. */
  const compare = (field: string, operator: string, operand: unknown): boolean => {
    const names = COMPARISONS.get(operator)
    const value = isStoreTime(operand) ? resolveTime(operand, nowMs) : operand
    const isText = typeof value === 'string'
    if (names === undefined || !(isText || typeof value === 'boolean' || Number.isFinite(value))) return false
    shape = shape.to(field).to(names[isText ? 0 : 1])
    values.push(columnValue(value))
    return true
  }
  for (const field in where) {
    const entry = (where as Readonly<Record<string, unknown>>)[field]
    if (entry === undefined) continue
    if (COMBINATORS.has(field)) return undefined
    if (typeof entry !== 'object' || entry === null || isStoreTime(entry)) {
      if (!compare(field, 'eq', entry)) return undefined
      continue
    }
    for (const operator in entry) {
      const operand = (entry as Readonly<Record<string, unknown>>)[operator]
      if (operand !== undefined && !compare(field, operator, operand)) return undefined
    }
  }
  return { shape, values }
}

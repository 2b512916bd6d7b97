import { isStoreTime, resolveTime } from '../store-time.ts'
import type { SqlValue } from './driver.ts'
import { columnValue } from './table.ts'

/** A filter that holds fields at plain values: its statement depends on the fields alone. */
export interface Equalities {
  readonly fields: string
  readonly values: readonly SqlValue[]
}

/** The filter taken as equalities, or undefined when it is anything more (lists, ranges, null, `and`, `or`, `not`). */
export function equalitiesOf(where: object | undefined, nowMs: number): Equalities | undefined {
  let fields = ''
  const values: SqlValue[] = []
  for (const field in where) {
    const operand = (where as Readonly<Record<string, unknown>>)[field]
    if (operand === undefined) continue
    const value = isStoreTime(operand) ? resolveTime(operand, nowMs) : operand
    if (typeof value !== 'string' && typeof value !== 'boolean' && !Number.isFinite(value)) return undefined
    fields += `${field}\n`
    values.push(columnValue(value))
  }
  return { fields, values }
}

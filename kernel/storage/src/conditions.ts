import type { Scalar } from './documents.ts'
import { badField } from './documents.ts'
import { isStoreTime, resolveTime } from './store-time.ts'

const operators = ['eq', 'ne', 'in', 'nin', 'lt', 'lte', 'gt', 'gte', 'exists', 'prefix', 'contains', 'has'] as const
export type Operator = (typeof operators)[number]
const known: ReadonlySet<string> = new Set(operators)

/** Calls `each` for every condition of a filter's entry, with times resolved and operands checked. */
export function eachCondition(field: string, entry: unknown, nowMs: number, each: (operator: Operator, operand: unknown) => void): void {
  if (entry === undefined) return
  if (typeof entry !== 'object' || entry === null || isStoreTime(entry)) {
    each('eq', scalar(field, entry, nowMs))
    return
  }
  for (const operator in entry) {
    const operand = (entry as Readonly<Record<string, unknown>>)[operator]
    if (operand === undefined) continue
    if (!known.has(operator)) throw badField(field, `expected one of the conditions ${operators.join(', ')}; got ${operator}`)
    each(operator as Operator, checked(field, operator as Operator, operand, nowMs))
  }
}

function checked(field: string, operator: Operator, operand: unknown, nowMs: number): unknown {
  switch (operator) {
    case 'has':
      return operand
    case 'in':
    case 'nin':
      if (!Array.isArray(operand)) throw badField(field, `${operator} expects an array`)
      return operand.map((value) => scalar(field, value, nowMs))
    case 'exists':
      if (typeof operand !== 'boolean') throw badField(field, 'exists expects true or false')
      return operand
    case 'prefix':
    case 'contains':
      if (typeof operand !== 'string') throw badField(field, `${operator} expects a string`)
      return operand
    default:
      return scalar(field, operand, nowMs)
  }
}

function scalar(field: string, operand: unknown, nowMs: number): Scalar | null {
  const value = resolveTime(operand, nowMs)
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return value as Scalar | null
  throw badField(field, `expected a string, a number, a boolean or null to compare with; got ${JSON.stringify(value)}`)
}

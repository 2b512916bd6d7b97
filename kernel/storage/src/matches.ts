import { compareValues, sameType } from './compare.ts'
import { eachCondition, type Operator } from './conditions.ts'
import { checkField, type Doc, sameJson } from './documents.ts'

/** True if a document matches a filter; every adapter's compiled query must agree. */
export function matches(doc: Doc, filter: object | undefined, nowMs: number): boolean {
  for (const [field, entry] of Object.entries(filter ?? {})) {
    if (!entryHolds(doc, field, entry, nowMs)) return false
  }
  return true
}

function entryHolds(doc: Doc, field: string, entry: unknown, nowMs: number): boolean {
  if (entry === undefined) return true
  if (field === 'and') return (entry as object[]).every((part) => matches(doc, part, nowMs))
  if (field === 'or') return (entry as object[]).some((part) => matches(doc, part, nowMs))
  if (field === 'not') return !matches(doc, entry as object, nowMs)
  const value = Object.hasOwn(doc, checkField(field)) ? (doc[field] ?? null) : null
  let all = true
  eachCondition(field, entry, nowMs, (operator, operand) => {
    all &&= holds(operator, value, operand)
  })
  return all
}

function holds(operator: Operator, value: unknown, operand: unknown): boolean {
  switch (operator) {
    case 'eq':
      return value === operand
    case 'ne':
      return value !== operand
    case 'in':
      return (operand as unknown[]).includes(value)
    case 'nin':
      return !(operand as unknown[]).includes(value)
    case 'lt':
      return sameType(value, operand) && compareValues(value, operand) < 0
    case 'lte':
      return sameType(value, operand) && compareValues(value, operand) <= 0
    case 'gt':
      return sameType(value, operand) && compareValues(value, operand) > 0
    case 'gte':
      return sameType(value, operand) && compareValues(value, operand) >= 0
    case 'exists':
      return (value !== null) === operand
    case 'prefix':
      return typeof value === 'string' && value.startsWith(operand as string)
    case 'contains':
      return typeof value === 'string' && asciiLower(value).includes(asciiLower(operand as string))
    case 'has':
      return Array.isArray(value) && value.some((element) => sameJson(element, operand))
  }
}

/** Lower case for A to Z only, as the contract says: the same on every store, whatever its locale. */
export function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

import { afterPrefix, checkField, eachCondition, type Operator } from '@gateway/storage'
import type { Document } from 'mongodb'
import { at } from './layout.ts'

/** Compiles the filter to a query; times are `nowMs`. */
export function filterToQuery(filter: object | undefined, nowMs: number): Document {
  const parts: Document[] = []
  for (const field in filter) {
    const entry = (filter as Readonly<Record<string, unknown>>)[field]
    if (entry === undefined) continue
    if (field === 'and') for (const part of entry as object[]) parts.push(filterToQuery(part, nowMs))
    else if (field === 'or') parts.push(anyOf((entry as object[]).map((part) => filterToQuery(part, nowMs))))
    else if (field === 'not') parts.push({ $nor: [filterToQuery(entry as object, nowMs)] })
    else {
      const path = at(checkField(field))
      eachCondition(field, entry, nowMs, (operator, operand) => parts.push({ [path]: condition(operator, operand) }))
    }
  }
  if (parts.length === 0) return {}
  return parts.length === 1 ? (parts[0] as Document) : { $and: parts }
}

/** MongoDB refuses an empty `$or`; in that case nothing matches. */
export function anyOf(queries: readonly Document[]): Document {
  return queries.length === 0 ? NOTHING : { $or: queries }
}
const NOTHING: Document = { t: { $exists: false } }

/** Arrays are not operands of the contract, and a field that holds one equals nothing; MongoDB would look inside. */
function condition(operator: Operator, operand: unknown): Document {
  switch (operator) {
    case 'eq':
      return { $eq: operand }
    case 'ne':
      return { $ne: operand }
    case 'in':
      return { $in: operand }
    case 'nin':
      return { $nin: operand }
    case 'lt':
      return { $lt: operand }
    case 'lte':
      return { $lte: operand }
    case 'gt':
      return { $gt: operand }
    case 'gte':
      return { $gte: operand }
    case 'exists':
      return { $exists: operand }
    case 'prefix':
      return prefix(operand as string)
    case 'contains':
      return { $regex: containing(operand as string) }
    case 'has':
      return { $elemMatch: { $eq: operand } }
  }
}

function prefix(text: string): Document {
  const end = afterPrefix(text)
  return end === undefined ? { $gte: text } : { $gte: text, $lt: end }
}

/**
 * Matches ASCII letters in both cases and everything else literally. `(?s)` and `i` would use the server's definition of a
 * letter.
 */
function containing(text: string): string {
  return text.replaceAll(/[A-Za-z]|[^A-Za-z0-9]/gu, (character) => {
    if (/[A-Za-z]/.test(character)) return `[${character.toLowerCase()}${character.toUpperCase()}]`
    return /[\^$\\.*+?()[\]{}|/-]/.test(character) ? `\\${character}` : character
  })
}

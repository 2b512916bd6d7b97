import type { Document } from 'mongodb'
import type { Scalar } from '../documents.ts'
import type { SortKey } from '../sort.ts'
import { at } from './layout.ts'

export function sortOf(order: readonly SortKey[]): Document {
  return Object.fromEntries(order.map(({ field, direction }) => [at(field), direction]))
}

/**
 * What comes after a position (a, b, id), in order: the rest of (a, b), the rest of a, what follows a. Each is a range
 * behind equalities, so that the index which serves the order is sought, not walked. Null stands before every value.
 */
export function afterPosition(order: readonly SortKey[], position: readonly (Scalar | null)[]): readonly Document[] {
  const segments: Document[] = []
  for (let last = order.length - 1; last >= 0; last--) {
    const beyond = beyondValue(order[last] as SortKey, position[last] as Scalar | null)
    if (beyond.length === 0) continue
    const same = order.slice(0, last).map(({ field }, i) => ({ [at(field)]: position[i] as Scalar | null }))
    for (const one of beyond) segments.push({ $and: [...same, one] })
  }
  return segments
}

function beyondValue({ field, direction }: SortKey, value: Scalar | null): readonly Document[] {
  const path = at(field)
  if (direction === 1) return value === null ? [{ [path]: { $exists: true } }] : [{ [path]: { $gt: value } }]
  return value === null ? [] : [{ [path]: { $lt: value } }, { [path]: { $exists: false } }]
}

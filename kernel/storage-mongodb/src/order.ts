import type { Scalar, SortKey } from '@gateway/storage'
import type { Document } from 'mongodb'
import { at } from './layout.ts'

export function sortOf(order: readonly SortKey[]): Document {
  return Object.fromEntries(order.map(({ field, direction }) => [at(field), direction]))
}

/**
 * Documents after a position (a, b, id), in order: the rest of (a, b), the rest of a, then those after a. Each is a range
 * behind equalities, so that the index which serves the order is sought, not walked. Null comes before every value, and in a
 * field that may hold either, numbers come before text, because MongoDB compares within one type only.
 */
export function afterPosition(
  order: readonly SortKey[],
  position: readonly (Scalar | null)[],
  mixed: ReadonlySet<string>,
): readonly Document[] {
  const segments: Document[] = []
  for (let last = order.length - 1; last >= 0; last--) {
    const { field, direction } = order[last] as SortKey
    const beyond = beyondValue(direction, position[last] as Scalar | null, mixed.has(field))
    if (beyond.length === 0) continue
    const same = order.slice(0, last).map(({ field }, i) => ({ [at(field)]: position[i] as Scalar | null }))
    for (const one of beyond) segments.push({ $and: [...same, { [at(field)]: one }] })
  }
  return segments
}

const ABSENT: Document = { $exists: false }
const ANY_TEXT: Document = { $gte: '' }
const ANY_NUMBER: Document = { $gte: Number.NEGATIVE_INFINITY }

function beyondValue(direction: 1 | -1, value: Scalar | null, mixed: boolean): readonly Document[] {
  if (direction === 1) {
    if (value === null) return [{ $exists: true }]
    return mixed && typeof value === 'number' ? [{ $gt: value }, ANY_TEXT] : [{ $gt: value }]
  }
  if (value === null) return []
  return mixed && typeof value === 'string' ? [{ $lt: value }, ANY_NUMBER, ABSENT] : [{ $lt: value }, ABSENT]
}

import { badField, checkField } from './documents.ts'

export interface SortKey {
  readonly field: string
  readonly direction: 1 | -1
}

/** The total order of a sort: its fields, then the id in the direction of the last one. */
export function totalOrder(sort: object | undefined, key: string): readonly SortKey[] {
  const order: SortKey[] = []
  let last: 1 | -1 = 1
  for (const [field, direction] of Object.entries(sort ?? {})) {
    if (direction === undefined) continue
    if (direction !== 1 && direction !== -1) throw badField(field, `expected 1 or -1 as its direction; got ${JSON.stringify(direction)}`)
    last = direction
    order.push({ field: checkField(field), direction })
    // The id is unique, so no further key is needed after it.
    if (field === key) return order
  }
  order.push({ field: key, direction: last })
  return order
}

import type { FieldView } from '../contract.ts'
import { at } from '../pointer.ts'
import { plain } from '../text.ts'

export interface Order {
  readonly label: string
  readonly down: boolean
}

/** The next order after a press on a column: up, down, then as the gateway sent them. */
export function nextOrder(order: Order | undefined, label: string): Order | undefined {
  if (order?.label !== label) return { label, down: false }
  return order.down ? undefined : { label, down: true }
}

/** An order in an address: the label, after a minus if it is descending. */
export const orderText = (order: Order | undefined): string | undefined => order && `${order.down ? '-' : ''}${order.label}`

export function orderFrom(text: string | null): Order | undefined {
  if (text === null || text === '') return undefined
  return text.startsWith('-') ? { label: text.slice(1), down: true } : { label: text, down: false }
}

/** Rows in an order; those without a value come last in both directions. Equal rows keep their order. */
export function ordered<Row extends { readonly value: unknown }>(
  rows: readonly Row[],
  columns: readonly FieldView[],
  order: Order | undefined,
): readonly Row[] {
  const field = columns.find(({ label }) => label === order?.label)
  if (!field || !order) return rows
  const keyed = rows.map((row) => ({ row, key: at(row.value, field.value) ?? undefined }))
  const known = keyed.filter(({ key }) => key !== undefined && key !== '')
  const rest = keyed.filter(({ key }) => key === undefined || key === '')
  const sign = order.down ? -1 : 1
  return [...known.sort((a, b) => sign * compared(a.key, b.key)), ...rest].map(({ row }) => row)
}

const words = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

const compared = (a: unknown, b: unknown): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : words.compare(plain(a), plain(b))

/** Rows that have all words in one of their shown values. */
export function withWords<Row extends { readonly value: unknown }>(
  rows: readonly Row[],
  columns: readonly FieldView[],
  text: string,
): readonly Row[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return rows
  return rows.filter(({ value }) => {
    const shown = columns
      .map((field) => plain(at(value, field.value)))
      .join(' ')
      .toLowerCase()
    return wanted.every((word) => shown.includes(word))
  })
}

import type { Pointer } from '../pointer.ts'

/** Source of an argument's value on a page. */
export type Argument<P extends string = string> =
  | { readonly from: 'value'; readonly value: unknown }
  | { readonly from: 'param'; readonly name: string }
  | { readonly from: 'query'; readonly name: string }
  | { readonly from: 'row'; readonly pointer: P }
  | { readonly from: 'before'; readonly pointer: string }
  | { readonly from: 'column' }
  | { readonly from: 'ago'; readonly seconds: number }
  | { readonly from: 'asked'; readonly label: string }

/** Arguments by name; a text, number or flag is used as it is. */
export type Arguments<Row> = Readonly<Record<string, Argument<Pointer<Row>> | string | number | boolean>>

/** Constructors of arguments from other sources. */
export const arg = {
  /** A constant list or object. */
  value: (value: unknown): Argument<never> => ({ from: 'value', value }),
  /** A parameter of the page's own path. */
  param: (name: string): Argument<never> => ({ from: 'param', name }),
  /** A parameter of the page's query, which links to the page set; if it is absent, so is the argument. */
  query: (name: string): Argument<never> => ({ from: 'query', name }),
  /** A member of the current row, record or answer. */
  row: <const P extends string>(pointer: P): Argument<P> => ({ from: 'row', pointer }),
  /** For an undo: a member of the row as it was when the action began. */
  before: (pointer: string): Argument<never> => ({ from: 'before', pointer }),
  /** The board column that a card was dropped on. */
  column: (): Argument<never> => ({ from: 'column' }),
  /** The time this many seconds before now, as ISO 8601. */
  ago: (seconds: number): Argument<never> => ({ from: 'ago', seconds }),
  /** Asks the person before the action runs: one field of the tool's input. */
  asked: (label: string): Argument<never> => ({ from: 'asked', label }),
} as const

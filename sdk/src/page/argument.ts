import type { Pointer } from '../pointer.ts'

/** Where the value of an argument comes from, while a page is looked at. */
export type Argument<P extends string = string> =
  | { readonly from: 'value'; readonly value: unknown }
  | { readonly from: 'param'; readonly name: string }
  | { readonly from: 'query'; readonly name: string }
  | { readonly from: 'row'; readonly pointer: P }
  | { readonly from: 'column' }
  | { readonly from: 'ago'; readonly seconds: number }
  | { readonly from: 'asked'; readonly label: string }

/** Arguments by name; a text, number or flag stands for itself. */
export type Arguments<Row> = Readonly<Record<string, Argument<Pointer<Row>> | string | number | boolean>>

/** Makers of arguments that do not stand for themselves. */
export const arg = {
  /** As it is: for lists and objects. */
  value: (value: unknown): Argument<never> => ({ from: 'value', value }),
  /** A parameter of the page’s own path. */
  param: (name: string): Argument<never> => ({ from: 'param', name }),
  /** A parameter of the page’s query, which links to it set; where it is absent the argument is too. */
  query: (name: string): Argument<never> => ({ from: 'query', name }),
  /** Of the row, the record or the answer at hand. */
  row: <const P extends string>(pointer: P): Argument<P> => ({ from: 'row', pointer }),
  /** Of a board: the column that a card was dropped on. */
  column: (): Argument<never> => ({ from: 'column' }),
  /** The time so many seconds before now, as ISO 8601. */
  ago: (seconds: number): Argument<never> => ({ from: 'ago', seconds }),
  /** Asked of the person before the action runs: one field of what the tool takes. */
  asked: (label: string): Argument<never> => ({ from: 'asked', label }),
} as const

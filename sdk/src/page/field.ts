import type { Pointer } from '../pointer.ts'
import type { Arguments } from './argument.ts'

/** What is to be thought of a value. */
export const TONES = ['neutral', 'info', 'good', 'warn', 'bad'] as const
/** One of the tones. */
export type Tone = (typeof TONES)[number]

/** How a value is shown. */
export const FORMATS = ['text', 'time', 'duration', 'bytes', 'money', 'number', 'percent', 'badge', 'code', 'boolean', 'json'] as const
/**
 * How a value is shown. `time`: ISO 8601, or milliseconds since 1970, shown as “5 minutes ago”. `duration`: milliseconds, or the seconds
 * that `unit: 's'` says. `money`: US dollars, or what `unit` names: a currency, or `cents`. `percent`: 0 to 1.
 */
export type Format = (typeof FORMATS)[number]

/** A link to another page: its path, with what stands for its parameters. What the path has not goes to the query. */
export interface Link<Row> {
  /** The path as the page declares it: `/tasks/:taskId`. A page that does not run, or is not the caller’s to see, is not linked. */
  readonly to: string
  readonly with?: Arguments<Row>
}

/** One value of a row or an answer: where it is, and how it is shown. */
export interface FieldSpec<Row> {
  readonly value: Pointer<Row>
  /** Default `text`. */
  readonly format?: Format
  readonly unit?: string
  /** Of a badge, by value; others are neutral. */
  readonly tones?: Readonly<Record<string, Tone>>
  readonly link?: Link<Row>
}

/** A pointer is text at that place. */
export type Field<Row> = Pointer<Row> | FieldSpec<Row>
/** Fields by their labels, in the order in which they are shown. */
export type Fields<Row> = Readonly<Record<string, Field<Row>>>

import type { Pointer } from '../pointer.ts'
import type { Arguments } from './argument.ts'

/** Meaning of a value: good, bad or neither. */
export const TONES = ['neutral', 'info', 'good', 'warn', 'bad'] as const
/** A tone of `TONES`. */
export type Tone = (typeof TONES)[number]

/** Formats of a value. */
export const FORMATS = ['text', 'time', 'duration', 'bytes', 'money', 'number', 'percent', 'badge', 'code', 'boolean', 'json'] as const
/**
 * Format of a value. `time`: ISO 8601 or milliseconds since 1970, shown as “5 minutes ago”. `duration`: milliseconds, or
 * seconds with `unit: 's'`. `money`: US dollars, or the currency in `unit`, or `cents`. `percent`: 0 to 1.
 */
export type Format = (typeof FORMATS)[number]

/** A link to another page: its path and parameter values. Parameters that are not in the path go to the query. */
export interface Link<Row> {
  /** The path as the page declares it: `/tasks/:taskId`. A page that is disabled or hidden from the caller is not linked. */
  readonly to: string
  readonly with?: Arguments<Row>
}

/** A value of a row or an answer: its place and its format. */
export interface FieldSpec<Row> {
  readonly value: Pointer<Row>
  /** A second text that follows in parentheses if it is there, such as the principal behind a reported name. */
  readonly beside?: Pointer<Row>
  /** Default `text`. */
  readonly format?: Format
  readonly unit?: string
  /** Tones of a badge, by value; other values are neutral. */
  readonly tones?: Readonly<Record<string, Tone>>
  /** Words that are shown instead of a value of a badge, such as `{ true: 'down', false: 'alive' }`. */
  readonly words?: Readonly<Record<string, string>>
  readonly link?: Link<Row>
  /** The value is the id of a record of this kind of search source, such as `task`; the title of the record is shown instead. */
  readonly titleOf?: string
  /** Place of the path of the page that shows it, with its parameters filled in (`/tasks/t-1`), for rows of several kinds. */
  readonly page?: Pointer<Row>
  /** Tone of a number above 0, for one that should be 0. */
  readonly alarm?: Tone
  /** A list of numbers, oldest first, that is drawn as a small line next to the value. */
  readonly trend?: Pointer<Row>
  /** The number that this number is measured against, such as a cap, or its place: the part that is used is drawn as a bar. */
  readonly limit?: Pointer<Row> | number
  /** The number at which counting stopped, or its place: this number is shown as “10,000+” from there on. */
  readonly stopsAt?: Pointer<Row> | number
}

/** A bare pointer shows the text at that place. */
export type Field<Row> = Pointer<Row> | FieldSpec<Row>
/** Fields by their labels, in display order. */
export type Fields<Row> = Readonly<Record<string, Field<Row>>>

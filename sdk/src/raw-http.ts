import type { Schema } from './schema.ts'

/** Describes the exchange of a raw route for the OpenAPI document. The gateway checks none of it. */
export interface RawHttp {
  readonly headers?: Readonly<Record<string, RawHeader>>
  /** The request body by media type; absent when the route reads none. */
  readonly body?: RawContent
  readonly answer: RawAnswer
}

/** Describes one header of a raw request. */
export interface RawHeader {
  readonly description: string
  readonly required?: boolean
}

/** Schemas by media type; bytes that no schema describes have `{}`. */
export type RawContent = Readonly<Record<string, Schema>>

/** Describes the answer of a raw route when it succeeds. */
export interface RawAnswer {
  readonly status: number
  readonly description: string
  readonly content?: RawContent
  /** The answer headers by name, each with its meaning. */
  readonly headers?: Readonly<Record<string, string>>
}

import type { FieldOf, NumericField, Scalar } from './fields.ts'
import type { Filter } from './filter.ts'
import type { Update } from './update.ts'

/** Fields in order of weight; 1 ascending, -1 descending. The document’s id is always the last tiebreak. */
export type Sort<Doc> = { readonly [K in FieldOf<Doc>]?: 1 | -1 }

/** Which documents, in which order, how many, from where on. */
export interface Query<Doc> {
  readonly where?: Filter<Doc>
  readonly sort?: Sort<Doc>
  /** At most this many, 1 to 10,000. Default 100. */
  readonly limit?: number
  /** The page ends early, after at least one document, before its documents are more than this many bytes of JSON. */
  readonly maxBytes?: number
  /** `nextCursor` of the previous page, with the same `where` and `sort`. A bad one is BAD_REQUEST naming `cursor`. */
  readonly cursor?: string
}

/** A part of an answer, and where the next one begins. */
export interface Page<Doc> {
  readonly items: readonly Doc[]
  /** Present when more documents match. Keyset: stays exact while others insert and delete. */
  readonly nextCursor?: string
}

/** Which document to take, and how to change it in the same step. */
export interface Claim<Doc> {
  readonly where: Filter<Doc>
  readonly sort: Sort<Doc>
  readonly update: Update<Doc>
}

/** Words to look for, among the documents that meet `where`. */
export interface SearchQuery<Doc> {
  /**
   * Words of the user; matched by the store’s text index, all of them or, failing that, any. Never a query language. Of prepared
   * text (see `PreparedText`) any of them; without any, those that meet a condition `has` on a text
   * field, in no order.
   */
  readonly text: string
  readonly where?: Filter<Doc>
  /** Default 10, at most 1,000. */
  readonly limit?: number
}
/** A document that was found, and how near it is. */
export interface SearchHit<Doc> {
  readonly item: Doc
  /** Greater is nearer. Comparable within one answer only. */
  readonly score: number
}

/** What to count and add up, by which fields. */
export interface GroupQuery<Doc> {
  readonly where?: Filter<Doc>
  /** Fields to group by. */
  readonly by: readonly FieldOf<Doc>[]
  /** Numeric fields to add up. */
  readonly sum?: readonly NumericField<Doc>[]
}
/** `key` in the order of `by`. */
export interface Group {
  readonly key: readonly (Scalar | null)[]
  readonly count: number
  readonly sums: Readonly<Record<string, number>>
}

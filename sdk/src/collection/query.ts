import type { FieldOf, NumericField, Scalar } from './fields.ts'
import type { Filter } from './filter.ts'
import type { Update } from './update.ts'

/** Fields in order of weight; 1 ascending, -1 descending. The document's id is always the last tiebreak. */
export type Sort<Doc> = { readonly [K in FieldOf<Doc>]?: 1 | -1 }

/** Selects documents, their order, their number and the starting point. */
export interface Query<Doc> {
  readonly where?: Filter<Doc>
  readonly sort?: Sort<Doc>
  /** Maximum number, 1 to 10,000. Default 100. */
  readonly limit?: number
  /** The page ends early, after at least one document, before its documents exceed this many bytes of JSON. */
  readonly maxBytes?: number
  /** `nextCursor` of the previous page, with the same `where` and `sort`. A bad one is BAD_REQUEST naming `cursor`. */
  readonly cursor?: string
}

/** A part of an answer and the cursor of the next part. */
export interface Page<Doc> {
  readonly items: readonly Doc[]
  /** Present if more documents match. It is a keyset cursor, which stays exact while others insert and delete. */
  readonly nextCursor?: string
}

/** Selects the document to take and its change in the same step. */
export interface Claim<Doc> {
  readonly where: Filter<Doc>
  readonly sort: Sort<Doc>
  readonly update: Update<Doc>
}

/** Words to search for among the documents that match `where`. */
export interface SearchQuery<Doc> {
  /**
   * Words of the user, matched by the store's text index: all of them or, failing that, any. It is never a query language.
   * Prepared text (see `PreparedText`) matches any of them; without words it returns the documents that meet a condition `has`
   * on a text field, in no order.
   */
  readonly text: string
  readonly where?: Filter<Doc>
  /** Default 10, at most 1,000. */
  readonly limit?: number
}
/** A found document and its score. */
export interface SearchHit<Doc> {
  readonly item: Doc
  /** A greater score is a better match. Scores are comparable within one answer only. */
  readonly score: number
}

/** Selects what to count and sum, and the fields to group by. */
export interface GroupQuery<Doc> {
  readonly where?: Filter<Doc>
  readonly by: readonly FieldOf<Doc>[]
  readonly sum?: readonly NumericField<Doc>[]
}
/** `key` has the order of `by`. */
export interface Group {
  readonly key: readonly (Scalar | null)[]
  readonly count: number
  readonly sums: Readonly<Record<string, number>>
}

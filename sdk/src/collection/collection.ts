import { defineError } from '../error.ts'
import { Type } from '../schema.ts'
import type { FieldOf } from './fields.ts'
import type { Filter } from './filter.ts'
import type { Claim, Group, GroupQuery, Page, Query, SearchHit, SearchQuery } from './query.ts'
import type { Transaction } from './transaction.ts'
import type { Update } from './update.ts'

/**
 * Documents in collections, bound to the caller's tenant by construction: no query can leave it.
 *
 * Documents are JSON objects. `undefined` and absent are the same; in filters and sorts `null` and absent are the same too and
 * sort first. Only top-level fields can be filtered, sorted or indexed. Strings compare by code point. Times are ISO 8601
 * strings in UTC with milliseconds (`Date#toISOString`), so they sort chronologically.
 *
 * Every method is one atomic step. Use `atomically` for changes that belong together. A write resolves when it is durable.
 */
export interface Collection<Doc> {
  get(id: string): Promise<Doc | undefined>
  /** Returns the existing documents in the order of `ids`. At most 1,000 ids. */
  getMany(ids: readonly string[]): Promise<readonly Doc[]>
  find(query?: Query<Doc>): Promise<Page<Doc>>
  /** Counts documents. With `max` it stops there, so that the cost is bounded. */
  count(where?: Filter<Doc>, options?: { readonly max?: number }): Promise<number>
  /** Counts and sums per group; the cost grows with the matching documents. */
  group(query: GroupQuery<Doc>): Promise<readonly Group[]>
  /**
   * Returns the distinct values of an indexed field (the first field of an index after any equalities in `where`). The cost grows
   * with the answer.
   */
  distinct<K extends FieldOf<Doc>>(field: K, where?: Filter<Doc>): Promise<readonly Doc[K][]>
  search(query: SearchQuery<Doc>): Promise<readonly SearchHit<Doc>[]>
  /** Throws DuplicateKey if the id or a unique value is taken. Returns the stored document. */
  insert(doc: Doc): Promise<Doc>
  /**
   * Inserts all documents or none: DuplicateKey if an id is taken or occurs twice in `docs`. At most 1,000. Returns the stored
   * documents.
   */
  insertMany(docs: readonly Doc[]): Promise<readonly Doc[]>
  /** Changes one document if it still matches `where`. Returns the changed document or `undefined`. */
  updateOne(id: string, update: Update<Doc>, where?: Filter<Doc>): Promise<Doc | undefined>
  /** Inserts `doc`, or applies `update` to the document with its id. */
  upsert(doc: Doc, update: Update<Doc>): Promise<Doc>
  /** Takes the first match in `sort` order and changes it; exactly one of several concurrent callers gets it. */
  claim(claim: Claim<Doc>): Promise<Doc | undefined>
  /** Returns the number of changed documents. */
  updateMany(where: Filter<Doc>, update: Update<Doc>): Promise<number>
  /** Removes one document if it still matches `where`. Returns the removed document or `undefined`. */
  deleteOne(id: string, where?: Filter<Doc>): Promise<Doc | undefined>
  deleteMany(where: Filter<Doc>): Promise<number>
  /** The same collection inside a transaction: it sees and shares the transaction's changes. */
  in(tx: Transaction): Collection<Doc>
}

/** Thrown by `insert` and updates if the id or a unique value is taken. */
export const DuplicateKey = defineError('DUPLICATE_KEY', {
  status: 409,
  description: 'A record with this id or unique key exists.',
  details: Type.Object({ collection: Type.String(), fields: Type.Array(Type.String()) }),
  message: ({ collection, fields }) => `A record with the same ${fields.join(', ')} exists in ${collection}.`,
})

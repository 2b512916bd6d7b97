import { defineError } from '../error.ts'
import { Type } from '../schema.ts'
import type { FieldOf } from './fields.ts'
import type { Filter } from './filter.ts'
import type { Claim, Group, GroupQuery, Page, Query, SearchHit, SearchQuery } from './query.ts'
import type { Transaction } from './transaction.ts'
import type { Update } from './update.ts'

/**
 * Documents in collections, bound to the caller’s tenant by construction: no query can leave it.
 *
 * Documents are JSON objects. `undefined` and absent are the same; in filters and sorts `null` and absent are the
 * same too, and stand first. Only top-level fields can be filtered, sorted or indexed. Strings compare by code point.
 * Times are ISO 8601 strings in UTC with milliseconds (`Date#toISOString`), so that they sort as they pass.
 *
 * Every method is one atomic step. What must change together takes `atomically`. A write resolves when it is durable.
 */
export interface Collection<Doc> {
  get(id: string): Promise<Doc | undefined>
  /** The documents that exist, in the order of `ids`. At most 1,000 ids. */
  getMany(ids: readonly string[]): Promise<readonly Doc[]>
  find(query?: Query<Doc>): Promise<Page<Doc>>
  /** With `max`, stops counting there: a bounded answer at a bounded price. */
  count(where?: Filter<Doc>, options?: { readonly max?: number }): Promise<number>
  /** Counts and sums per group; price grows with the matching documents. */
  group(query: GroupQuery<Doc>): Promise<readonly Group[]>
  /** The distinct values of an indexed field (the first field of an index after any equalities in `where`). Price grows with the answer. */
  distinct<K extends FieldOf<Doc>>(field: K, where?: Filter<Doc>): Promise<readonly Doc[K][]>
  search(query: SearchQuery<Doc>): Promise<readonly SearchHit<Doc>[]>
  /** Throws DuplicateKey when the id or a unique index is taken. Returns the stored document. */
  insert(doc: Doc): Promise<Doc>
  /** All of them or none: DuplicateKey when one is taken, or stands twice in `docs`. At most 1,000. Returns the stored documents. */
  insertMany(docs: readonly Doc[]): Promise<readonly Doc[]>
  /** Change one document if it still meets `where`; the document after the change, or `undefined`. */
  updateOne(id: string, update: Update<Doc>, where?: Filter<Doc>): Promise<Doc | undefined>
  /** Insert `doc`, or apply `update` to the document that has its id. */
  upsert(doc: Doc, update: Update<Doc>): Promise<Doc>
  /** Take the first match in `sort` order and change it: of concurrent callers exactly one gets it. */
  claim(claim: Claim<Doc>): Promise<Doc | undefined>
  /** The number of documents changed. */
  updateMany(where: Filter<Doc>, update: Update<Doc>): Promise<number>
  /** Remove one document if it still meets `where`; the removed document, or `undefined`. */
  deleteOne(id: string, where?: Filter<Doc>): Promise<Doc | undefined>
  deleteMany(where: Filter<Doc>): Promise<number>
  /** The same collection inside a transaction: sees its changes, and changes with it. */
  in(tx: Transaction): Collection<Doc>
}

/** Thrown by `insert` and updates when the id or a unique index is taken. */
export const DuplicateKey = defineError('DUPLICATE_KEY', {
  status: 409,
  description: 'A record with this id or unique key exists.',
  details: Type.Object({ collection: Type.String(), fields: Type.Array(Type.String()) }),
  message: ({ collection, fields }) => `A record with the same ${fields.join(', ')} exists in ${collection}.`,
})

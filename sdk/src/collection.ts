import { defineError } from './error.ts'
import { type MembersOf, refuseUnknown } from './members.ts'
import type { Ref } from './ref.ts'
import { type Infer, type ObjectSchema, Type } from './schema.ts'

/**
 * Documents in collections, bound to the caller’s tenant by construction: no query can leave it.
 *
 * Documents are JSON objects. `undefined` and absent are the same; in filters and sorts `null` and absent are the
 * same too, and stand first. Only top-level fields can be filtered, sorted or indexed. Strings compare by code point.
 * Times are ISO 8601 strings in UTC with milliseconds (`Date#toISOString`), so that they sort as they pass.
 */

// ------------------------------------------------------------- times ----

/** The store’s own time plus an offset; resolved by the store when the operation runs, so that nodes agree. */
export interface StoreTime {
  readonly $now: number
}
/** `now()` is the store’s time, `now(3600)` an hour later. In a filter or in `set`. */
export function now(offsetSeconds = 0): StoreTime {
  return { $now: offsetSeconds * 1000 }
}

// ------------------------------------------------------------ filters ----

type Scalar = string | number | boolean
type Operand<T> = Extract<T, Scalar> | (Extract<T, string> extends never ? never : StoreTime)
type Element<T> = T extends readonly (infer E)[] ? E : never

/** Conditions on one field; all given ones must hold. */
export interface Condition<T> {
  readonly eq?: Operand<T> | null
  readonly ne?: Operand<T> | null
  readonly in?: readonly (Operand<T> | null)[]
  readonly nin?: readonly (Operand<T> | null)[]
  readonly lt?: Operand<T>
  readonly lte?: Operand<T>
  readonly gt?: Operand<T>
  readonly gte?: Operand<T>
  readonly exists?: boolean
  /** Literal prefix of a string. */
  readonly prefix?: string
  /** Literal substring of a string, case-insensitive for ASCII letters. Scans what the other conditions leave. */
  readonly contains?: string
  /** An array field holds this element. */
  readonly has?: Element<T>
}
type FieldOf<Doc> = keyof Doc & string
/** Which documents: a value or a condition for a field, combined with `and`, `or`, `not`. All given ones must hold. */
export type Filter<Doc> = {
  readonly [K in FieldOf<Doc>]?: Operand<NonNullable<Doc[K]>> | null | Condition<NonNullable<Doc[K]>>
} & {
  readonly and?: readonly Filter<Doc>[]
  readonly or?: readonly Filter<Doc>[]
  readonly not?: Filter<Doc>
}

// ------------------------------------------------------------ updates ----

type Settable<T> = T | (Extract<T, string> extends never ? never : StoreTime)
type NumericField<Doc> = { [K in FieldOf<Doc>]: NonNullable<Doc[K]> extends number ? K : never }[FieldOf<Doc>]
type ArrayField<Doc> = { [K in FieldOf<Doc>]: NonNullable<Doc[K]> extends readonly unknown[] ? K : never }[FieldOf<Doc>]

/** What to change in a document. A field stands in one of the members only. */
export interface Update<Doc> {
  /** `undefined` leaves the field as it is; use `unset` to remove it. */
  readonly set?: { readonly [K in FieldOf<Doc>]?: Settable<NonNullable<Doc[K]>> | undefined }
  readonly unset?: readonly FieldOf<Doc>[]
  readonly inc?: { readonly [K in NumericField<Doc>]?: number }
  readonly min?: { readonly [K in FieldOf<Doc>]?: Operand<NonNullable<Doc[K]>> }
  readonly max?: { readonly [K in FieldOf<Doc>]?: Operand<NonNullable<Doc[K]>> }
  readonly push?: { readonly [K in ArrayField<Doc>]?: Element<NonNullable<Doc[K]>> }
  readonly addToSet?: { readonly [K in ArrayField<Doc>]?: Element<NonNullable<Doc[K]>> }
  readonly pull?: { readonly [K in ArrayField<Doc>]?: Element<NonNullable<Doc[K]>> }
}

// ------------------------------------------------------------ queries ----

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

/** Every method is one atomic step. What must change together takes `atomically`. A write resolves when it is durable. */
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

// ------------------------------------------------------- transactions ----

/** An open transaction; valid until the function given to `atomically` returns. Hand it to a contributor that takes part. */
export interface Transaction {
  /** The store’s time, one value for the whole transaction. */
  readonly now: Date
  /**
   * Run this once the transaction is committed, before `atomically` resolves; never when it is rolled back. For telling
   * others what has changed. It must not throw.
   */
  afterCommit(run: () => void): void
}

/**
 * Run `work` with all its changes or none of them. `work` may run more than once (a distributed store retries on
 * conflict), so it changes nothing outside the store; and it waits for nothing but the store: other writers wait for it.
 */
export type Atomically = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>
/** Resolves to `Atomically`: put it in `uses` to change several documents as one. */
export const atomically: Ref<'kernel', Atomically> = { kind: 'kernel', id: 'atomically' }

/** Thrown by `insert` and updates when the id or a unique index is taken. */
export const DuplicateKey = defineError('DUPLICATE_KEY', {
  status: 409,
  description: 'A record with this id or unique key exists.',
  details: Type.Object({ collection: Type.String(), fields: Type.Array(Type.String()) }),
  message: ({ collection, fields }) => `A record with the same ${fields.join(', ')} exists in ${collection}.`,
})

// -------------------------------------------------------- declaration ----

/** An index: which fields, in which order, and for which documents. */
export interface IndexSpec<Doc> {
  readonly keys: Sort<Doc>
  readonly unique?: boolean
  /** Only documents that have this field are in the index; a query uses it by naming the field. */
  readonly present?: FieldOf<Doc>
  /** Remove documents this many seconds after the time in the (single) key field. Removal lags; filter for exactness. */
  readonly expireAfterSeconds?: number
  /** Kept over all tenants as well, for the `due` of a job: one look tells in which of them there is something to do. */
  readonly acrossTenants?: boolean
}

/**
 * Text that its plugin has made ready for the index: stemmed, folded, cut into words its own way. The fields hold words of
 * letters and digits with spaces between them, or lists of such; a search takes them as they are, and each field counts with its
 * weight, 0 to 1. A condition `has` on one of them is answered by the text index, as a word that every hit must have.
 */
export interface PreparedText<Doc> {
  readonly prepared: { readonly [K in FieldOf<Doc>]?: number }
}

/** A collection as it is declared; in a handler it is a `Collection`. */
export interface CollectionRef<S extends ObjectSchema = ObjectSchema> extends Ref<'collection', Collection<Infer<S>>> {
  readonly schema: S
  /** The field that holds the document’s id. */
  readonly key: string
  readonly indexes: readonly IndexSpec<Infer<S>>[]
  /** Fields the text search looks into. */
  readonly text: readonly string[]
  /** Of prepared text: what each of the fields weighs. */
  readonly weights?: Readonly<Record<string, number>>
}

const COLLECTION: MembersOf<typeof defineCollection, 1> = { schema: true, key: true, indexes: true, text: true }
const INDEX: Readonly<Record<keyof IndexSpec<unknown>, true>> = {
  keys: true,
  unique: true,
  present: true,
  expireAfterSeconds: true,
  acrossTenants: true,
}

/**
 * Declare a collection, private to its plugin. `id` is unique in one gateway: by custom the plugin’s id, or
 * `plugin.name`. Each filter and sort on a hot path needs a declared index.
 */
export function defineCollection<const S extends ObjectSchema>(
  id: string,
  spec: {
    schema: S
    key: keyof Infer<S> & string
    indexes?: readonly IndexSpec<Infer<S>>[]
    text?: readonly (keyof Infer<S> & string)[] | PreparedText<Infer<S>>
  },
): CollectionRef<S> {
  refuseUnknown(`collection ${id}`, spec, COLLECTION)
  for (const [at, index] of (spec.indexes ?? []).entries()) refuseUnknown(`collection ${id}: indexes[${at}]`, index, INDEX)
  return { kind: 'collection', id, schema: spec.schema, key: spec.key, indexes: spec.indexes ?? [], ...textOf(spec.text ?? []) }
}

function textOf<Doc>(text: readonly string[] | PreparedText<Doc>): Pick<CollectionRef, 'text' | 'weights'> {
  if (!('prepared' in text)) return { text }
  return { text: Object.keys(text.prepared), weights: text.prepared as Readonly<Record<string, number>> }
}

// ------------------------------------------------------------- reach ----

/** A collection as one tenant has it. */
export interface InTenant<Doc> {
  readonly tenantId: string
  readonly collection: Collection<Doc>
}

/** A collection in each tenant the caller reaches. The first is the caller’s own. */
export interface Reach<Doc> {
  (): Promise<readonly InTenant<Doc>[]>
  /** In one of them; throws FORBIDDEN for a tenant the caller does not reach. */
  of(tenantId: string): Collection<Doc>
}
/** What `throughout` makes. */
export interface ReachRef<Doc> extends Ref<'reach', Reach<Doc>> {
  readonly of: CollectionRef
}

/**
 * One’s own collection in every tenant the caller reaches: the own tenant for a tenant’s caller, every tenant for `system`
 * and `operator`. For tools that show the whole fleet to who runs it.
 */
export function throughout<S extends ObjectSchema>(collection: CollectionRef<S>): ReachRef<Infer<S>> {
  return { kind: 'reach', id: collection.id, of: collection }
}

// ------------------------------------------------- shared with caller ----

/** Documents of another tenant that name the caller’s: each other one is as if it were not there. */
export interface SharedDocuments<Doc> {
  get(id: string): Promise<Doc | undefined>
}
/** What `sharedWithCaller` makes. */
export interface SharedRef<Doc> extends Ref<'shared', (ownerTenantId: string) => SharedDocuments<Doc>> {
  readonly of: CollectionRef
  readonly field: string
}

/**
 * One’s own collection in a tenant the caller names, as far as `field` of a document holds the caller’s tenant: a grant given to
 * it, an invitation. Read-only, and read where its owner writes it, so that what the owner takes back is gone with the next call.
 */
export function sharedWithCaller<S extends ObjectSchema>(
  collection: CollectionRef<S>,
  field: keyof Infer<S> & string,
): SharedRef<Infer<S>> {
  return { kind: 'shared', id: collection.id, of: collection, field }
}

// ------------------------------------------------------- gateway-wide ----

/**
 * Documents that hold for every tenant alike: any caller reads them, `system` and `operator` write them. They belong to
 * no tenant, so they take part in no tenant’s transaction, and nothing of a tenant has a place in them.
 */
export interface GatewayWide<Doc> extends Pick<Collection<Doc>, 'get' | 'getMany' | 'find' | 'count' | 'search'> {
  /** The collection to write to. Throws FORBIDDEN for a tenant’s caller, enforcement or not. */
  writable(): Collection<Doc>
}
/** What `gatewayWide` gives a plugin to use. */
export interface GatewayWideRef<Doc> extends Ref<'gateway-wide', GatewayWide<Doc>> {
  readonly of: CollectionRef
}

/** One’s own collection once more, for what the operator says to all tenants; each tenant has its own documents beside it. */
export function gatewayWide<S extends ObjectSchema>(collection: CollectionRef<S>): GatewayWideRef<Infer<S>> {
  return { kind: 'gateway-wide', id: collection.id, of: collection }
}

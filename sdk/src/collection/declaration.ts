import { type MembersOf, refuseUnknown } from '../members.ts'
import type { Ref } from '../ref.ts'
import type { Infer, ObjectSchema } from '../schema.ts'
import type { Collection } from './collection.ts'
import type { FieldOf } from './fields.ts'
import type { Sort } from './query.ts'

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

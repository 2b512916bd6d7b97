import { type MembersOf, refuseUnknown } from '../members.ts'
import type { Ref } from '../ref.ts'
import type { Infer, ObjectSchema } from '../schema.ts'
import type { Collection } from './collection.ts'
import type { FieldOf } from './fields.ts'
import type { Sort } from './query.ts'

/** An index: its fields, their order, and the documents it covers. */
export interface IndexSpec<Doc> {
  readonly keys: Sort<Doc>
  readonly unique?: boolean
  /** Covers only documents that have this field; a query uses the index by naming the field. */
  readonly present?: FieldOf<Doc>
  /** Removes documents this many seconds after the time in the (single) key field. Removal lags, so filter for exactness. */
  readonly expireAfterSeconds?: number
  /** Also kept over all tenants, for the `due` of a job: one query finds the tenants that have work. */
  readonly acrossTenants?: boolean
}

/**
 * Text that its plugin has prepared for the index: stemmed, folded and split in its own way. The fields hold words of letters
 * and digits separated by spaces, or lists of such words. A search uses them unchanged, and each field counts with its weight,
 * 0 to
 * 1. The text index answers a condition `has` on one of them as a word that every hit must contain.
 */
export interface PreparedText<Doc> {
  readonly prepared: { readonly [K in FieldOf<Doc>]?: number }
}

/** A declared collection; a handler receives it as a `Collection`. */
export interface CollectionRef<S extends ObjectSchema = ObjectSchema> extends Ref<'collection', Collection<Infer<S>>> {
  readonly schema: S
  /** The field that holds the document's id. */
  readonly key: string
  readonly indexes: readonly IndexSpec<Infer<S>>[]
  /** Fields that the text search covers. */
  readonly text: readonly string[]
  /** Weights of the fields of prepared text. */
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
 * Declares a collection, private to its plugin. `id` is unique in one gateway: by convention the plugin's id, or `plugin.name`.
 * Each filter and sort on a hot path needs a declared index. The store keeps documents that contradict the schema as they are, since documents of an
 * earlier schema remain and a check would make every write more expensive. In tests, `startTestGateway` with `checkDocuments` finds them at its stop.
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

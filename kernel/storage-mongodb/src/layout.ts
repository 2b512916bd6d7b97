import { type CollectionRef, DuplicateKey } from '@gateway/sdk'
import { type Declaration, type Doc, declarationOf } from '@gateway/storage'
import type { Document, ObjectId } from 'mongodb'
import { stampOf, type Words, wordsOf } from './words.ts'

/**
 * Layout of a document in MongoDB, in a collection named by the ref's id:
 *
 *  t the tenant r the revision: raised by every change, so that a change can name the state it changes d the document itself,
 * without its null members n the names of its null members, if there are any s, l, w the words of its text, where the
 * collection has any: see words.ts c the mark of the claim that took it together with others, until it is claimed again: see
 * claim-together.ts
 *
 * Null and absent are the same to filters, sorts and partial indexes of the contract. MongoDB's partial indexes distinguish
 * them, so nulls are stored separately.
 */
export interface Stored extends Document, Partial<Words> {
  readonly t: string
  readonly r: number
  readonly d: Doc
  readonly n?: readonly string[]
  readonly c?: ClaimMark | undefined
}

export interface ClaimMark {
  readonly by: ObjectId
  /** Times of the claim, by field, as the server set them. */
  readonly times?: Readonly<Record<string, string>>
}

export interface Layout extends Declaration {
  /** Fields that may hold both numbers and text. */
  readonly mixed: ReadonlySet<string>
  /** Identifies how the words of documents are split; undefined without text. */
  readonly stamp: string | undefined
}

/** Throws on a declaration that cannot be stored. */
export function layoutOf(ref: CollectionRef): Layout {
  const declared = declarationOf(ref)
  return { ...declared, mixed: mixedFields(ref), stamp: stampOf(declared) }
}

interface Schema {
  readonly type?: unknown
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
}

function mixedFields(ref: CollectionRef): ReadonlySet<string> {
  const properties = (ref.schema as { properties?: Readonly<Record<string, Schema>> }).properties ?? {}
  return new Set(Object.keys(properties).filter((name) => isMixed(kindsOf(properties[name] as Schema))))
}

function isMixed(kinds: readonly unknown[]): boolean {
  // A schema without a type admits all.
  return kinds.includes(undefined) || (kinds.includes('string') && kinds.some((kind) => kind === 'number' || kind === 'integer'))
}

function kindsOf(schema: Schema): readonly unknown[] {
  if (schema.anyOf) return schema.anyOf.flatMap(kindsOf)
  return 'const' in schema ? [typeof schema.const] : [schema.type].flat()
}

export function pack(layout: Layout, tenant: string, doc: Doc, revision: number): Stored {
  const words = layout.stamp === undefined ? {} : wordsOf(layout, layout.stamp, doc)
  const nulls = Object.keys(doc).filter((name) => doc[name] === null)
  if (nulls.length === 0) return { t: tenant, r: revision, d: doc, ...words }
  const d = Object.fromEntries(Object.entries(doc).filter(([, value]) => value !== null))
  return { t: tenant, r: revision, d, n: nulls, ...words }
}

export function unpack({ d, n }: Stored): Doc {
  return n === undefined ? d : { ...d, ...Object.fromEntries(n.map((name) => [name, null])) }
}

/** Path of a field. The caller has checked the name. */
export const at = (field: string): string => `d.${field}`

const DUPLICATE = 11_000

export function isDuplicate(error: unknown): boolean {
  return (error as { code?: unknown }).code === DUPLICATE
}

/** The driver names the refusing index by its keys, or by its name in the message. */
export function duplicateKey({ id, key, indexes }: Layout, error: unknown): unknown {
  if (!isDuplicate(error)) return error
  const { keyPattern, message } = error as { keyPattern?: object; message: string }
  // Compared as a whole word, because one name may be a prefix of another.
  const words = new Set(message.split(/[\s$]+/))
  const named = indexes.find(({ name }) => words.has(name))
  const fields = keyPattern
    ? Object.keys(keyPattern).flatMap((path) => (path.startsWith('d.') ? [path.slice(2)] : []))
    : (named?.keys.map(({ field }) => field) ?? [key])
  return DuplicateKey({ collection: id, fields })
}

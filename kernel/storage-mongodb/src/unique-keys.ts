import { DuplicateKey } from '@gateway/sdk'
import type { Doc } from '@gateway/storage'
import type { ClientSession, Document, Collection as MongoCollection } from 'mongodb'
import { at, type Layout, type Stored } from './layout.ts'

/** Checks unique values within a tenant before a write, where the server's own refusal would come too late. */
export class UniqueKeys {
  readonly #layout: Layout
  readonly #tenant: string
  readonly #docs: MongoCollection<Stored>
  readonly #session: ClientSession | undefined
  readonly #unique: readonly (readonly string[])[]

  constructor(layout: Layout, tenant: string, docs: MongoCollection<Stored>, session: ClientSession | undefined) {
    this.#layout = layout
    this.#tenant = tenant
    this.#docs = docs
    this.#session = session
    this.#unique = layout.indexes.filter(({ unique }) => unique).map(({ keys }) => keys.map(({ field }) => field))
  }

  /**
   * A refusal by the server would end the transaction, but a caller may catch one and continue. `except` is the changed
   * document, which keeps its id.
   */
  async refuseTaken(doc: Doc, except?: unknown): Promise<void> {
    if (!this.#session) return
    for (const fields of except === undefined ? [[this.#layout.key], ...this.#unique] : this.#unique) {
      if (!hasAll(doc, fields)) continue
      const taken = await this.#first(valuesOf(doc, fields))
      if (taken && !(except !== undefined && String(taken._id) === String(except))) throw this.#duplicate(fields)
    }
  }

  /** Checks several documents with one query per key. */
  async refuseAnyTaken(docs: readonly Doc[]): Promise<void> {
    for (const fields of [[this.#layout.key], ...this.#unique]) {
      const keyed = docs.filter((doc) => hasAll(doc, fields))
      const values = new Set(keyed.map((doc) => JSON.stringify(fields.map((field) => doc[field]))))
      if (values.size < keyed.length) throw this.#duplicate(fields)
      if (keyed.length > 0 && (await this.#first(anyOf(keyed, fields)))) throw this.#duplicate(fields)
    }
  }

  #first(filter: Document): Promise<Document | null> {
    const options = { ...(this.#session && { session: this.#session }), projection: { _id: 1 } }
    return this.#docs.findOne({ t: this.#tenant, ...filter } as Document, options)
  }

  #duplicate(fields: readonly string[]): Error {
    return DuplicateKey({ collection: this.#layout.id, fields: [...fields] })
  }
}

/** Documents that lack one of the fields are not in the index. */
const hasAll = (doc: Doc, fields: readonly string[]): boolean => fields.every((field) => (doc[field] ?? null) !== null)

const valuesOf = (doc: Doc, fields: readonly string[]): Document => Object.fromEntries(fields.map((field) => [at(field), doc[field]]))

/** A single field needs no list of conditions, each of which a server may plan by itself. */
function anyOf(docs: readonly Doc[], fields: readonly string[]): Document {
  const [field, ...further] = fields
  if (field === undefined || further.length > 0) return { $or: docs.map((doc) => valuesOf(doc, fields)) }
  return { [at(field)]: { $in: docs.map((doc) => doc[field]) } }
}

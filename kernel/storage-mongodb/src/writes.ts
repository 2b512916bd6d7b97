import { isDeepStrictEqual } from 'node:util'
import { type Doc, documentId, toJson } from '@gateway/storage'
import { type Document, MongoError, MongoErrorLabel } from 'mongodb'
import { changeOf, timeGuards } from './change.ts'
import { duplicateKey, isDuplicate, pack, unpack } from './layout.ts'
import type { Found, Place } from './place.ts'
import { UniqueKeys } from './unique-keys.ts'

/** A change whose document other writers keep changing gives up after this many reads. */
export const MAX_ATTEMPTS = 200
/** The document is not due yet by the server's clock, whatever this node's clock says. */
export const TOO_SOON = Symbol('too soon')

/** Result of one attempt; undefined if another writer changed the document first. */
type Attempt<T> = { readonly done: T } | undefined

/** Writes of one document each, on the condition that it is still at the revision it was read at. */
export class Writes {
  readonly #place: Place
  readonly #unique: UniqueKeys

  constructor(place: Place) {
    this.#place = place
    this.#unique = new UniqueKeys(place.layout, place.tenant, place.docs, place.scope.session)
  }

  async insert(doc: Doc): Promise<Doc> {
    const { layout, tenant, docs, options } = this.#place
    const stored = toJson(doc)
    documentId(stored, layout.key)
    await this.#unique.refuseTaken(stored)
    try {
      await docs.insertOne(pack(layout, tenant, stored, 1) as never, options)
      return stored
    } catch (error) {
      throw duplicateKey(layout, error)
    }
  }

  async insertAll(stored: readonly Doc[]): Promise<readonly Doc[]> {
    const { layout, tenant, docs, options } = this.#place
    await this.#unique.refuseAnyTaken(stored)
    try {
      await docs.insertMany(stored.map((doc) => pack(layout, tenant, doc, 1)) as never, options)
      return stored
    } catch (error) {
      throw duplicateKey(layout, error)
    }
  }

  /** The document after the change. */
  async change(found: Found, update: object, where?: object): Promise<Attempt<Doc> | typeof TOO_SOON> {
    const { layout, docs, options, reading, scope } = this.#place
    const change = changeOf(found, layout, update, where, scope.now(), scope.serverTimes)
    await this.#unique.refuseTaken(change.after, found._id)
    try {
      if (scope.serverTimes) {
        const after = await docs.findOneAndUpdate(change.filter, change.update as Document[], { ...reading, returnDocument: 'after' })
        if (after) return { done: unpack(after) }
        return (await this.#isTooSoon(found, this.guard(where))) ? TOO_SOON : undefined
      }
      const { matchedCount } = await docs.replaceOne(change.filter, change.update as never, options)
      return matchedCount === 1 ? { done: change.after } : undefined
    } catch (error) {
      if (!isDuplicate(error) || !this.#keepsUniqueValues(unpack(found), change.after)) throw duplicateKey(layout, error)
      // A duplicate of values that have not changed is a conflict, which some servers report in this way.
      if (scope.session && error instanceof MongoError) {
        error.addErrorLabel(MongoErrorLabel.TransientTransactionError)
        throw error
      }
      return undefined
    }
  }

  #keepsUniqueValues(before: Doc, after: Doc): boolean {
    const fields = this.#place.layout.indexes.flatMap(({ unique, keys }) => (unique ? keys.map(({ field }) => field) : []))
    return fields.every((field) => isDeepStrictEqual(before[field], after[field]))
  }

  /** The removed document, or undefined if it was too early. */
  async remove(found: Found, where?: object): Promise<Attempt<Doc | undefined>> {
    const { docs, options } = this.#place
    const guard = this.guard(where)
    const { deletedCount } = await docs.deleteOne({ _id: found._id, t: found.t, r: found.r, ...guard }, options)
    if (deletedCount === 1) return { done: unpack(found) }
    return (await this.#isTooSoon(found, guard)) ? { done: undefined } : undefined
  }

  /** The filter's comparisons with now, which the server makes by its own clock. */
  guard(where: object | undefined): Document {
    const guards = this.#place.scope.serverTimes ? timeGuards(where) : []
    return guards.length > 0 ? { $expr: { $and: guards } } : {}
  }

  /** True if the server's clock refused a write, rather than a change by another writer. */
  async #isTooSoon({ _id, t, r }: Found, guard: Document): Promise<boolean> {
    if (!guard.$expr) return false
    const { docs, options } = this.#place
    return (await docs.findOne({ _id, t, r }, { ...options, projection: { _id: 1 } })) !== null
  }

  /** Retries until an attempt is not overtaken. */
  async persist<T>(attempt: () => Promise<Attempt<T>>): Promise<T> {
    for (let i = 0; i < MAX_ATTEMPTS; i++) {
      const outcome = await attempt()
      if (outcome) return outcome.done
    }
    throw new Error(`a document of ${this.#place.layout.id} was changed by others ${MAX_ATTEMPTS} times in a row`)
  }
}

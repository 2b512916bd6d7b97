import { badField, matches } from '@gateway/storage'
import type { ClientSession, Document, Collection as MongoCollection, WithId } from 'mongodb'
import { filterToQuery } from './filter.ts'
import { at, type Layout, type Stored, unpack } from './layout.ts'
import type { Scope } from './scope.ts'

/** A document as read, with its revision, which a change of it names. */
export type Found = WithId<Stored>

export class Place {
  readonly layout: Layout
  readonly tenant: string
  readonly docs: MongoCollection<Stored>
  readonly scope: Scope
  /** Options of every command: the session, inside a transaction. */
  readonly options: { readonly session?: ClientSession }
  /** Options of a read of whole documents: without their words, which only a search compares. */
  readonly reading: { readonly session?: ClientSession; readonly projection?: Document }

  constructor(layout: Layout, tenant: string, docs: MongoCollection<Stored>, scope: Scope) {
    this.layout = layout
    this.tenant = tenant
    this.docs = docs
    this.scope = scope
    this.options = scope.session ? { session: scope.session } : {}
    this.reading = layout.stamp === undefined ? this.options : { ...this.options, projection: { w: 0 } }
  }

  within(scope: Scope): Place {
    return new Place(this.layout, this.tenant, this.docs, scope)
  }

  query(where: object | undefined, nowMs = this.scope.now()): Document {
    return { $and: [{ t: this.tenant }, filterToQuery(where, nowMs)] }
  }

  async byId(id: string, where?: object): Promise<Found | undefined> {
    if (typeof id !== 'string') throw badField(this.layout.key, `expected an id, a string; got ${JSON.stringify(id)}`)
    const found = await this.docs.findOne({ t: this.tenant, [at(this.layout.key)]: id }, this.reading)
    return found && (where === undefined || matches(unpack(found), where, this.scope.now())) ? found : undefined
  }
}

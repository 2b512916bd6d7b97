import type { Claim, Collection, Group, GroupQuery, Page, Query, SearchHit, SearchQuery, Transaction } from '@gateway/sdk'
import { checkDocuments, type Doc, documentId, toJson, totalOrder } from '@gateway/storage'
import type { Collection as MongoCollection } from 'mongodb'
import { changeMany } from './change-many.ts'
import { takeAll } from './claim-together.ts'
import { ClaimQueue } from './claims.ts'
import { DocumentQueue } from './document-queue.ts'
import { Gets } from './gets.ts'
import { type Layout, type Stored, unpack } from './layout.ts'
import { sortOf } from './order.ts'
import { type Found, Place } from './place.ts'
import { byIds, count, distinct, findPage, getMany, group } from './reads.ts'
import type { Scope } from './scope.ts'
import { search } from './text-search.ts'
import { MAX_ATTEMPTS, TOO_SOON, Writes } from './writes.ts'

// biome-ignore lint/suspicious/noExplicitAny: the port gives each caller its own document type
type Any = any
type Claims = ClaimQueue<Found, Pick<Claim<Any>, 'where' | 'update'>, Doc>

export class MongoCollectionAdapter implements Collection<Any> {
  readonly #place: Place
  readonly #writes: Writes
  readonly #join: (tx: Transaction, tenant: string) => Scope
  readonly #queue: DocumentQueue
  readonly #gets: Gets<Doc>
  /** Keyed by filter and order. */
  readonly #claims = new Map<string, Claims>()

  constructor(
    layout: Layout,
    tenant: string,
    docs: MongoCollection<Stored>,
    scope: Scope,
    join: (tx: Transaction, tenant: string) => Scope,
  ) {
    this.#place = new Place(layout, tenant, docs, scope)
    this.#writes = new Writes(this.#place)
    this.#join = join
    this.#queue = new DocumentQueue(scope.answerLimitMs)
    this.#gets = new Gets((ids) => byIds(this.#place, ids), scope.answerLimitMs)
  }

  get(id: string): Promise<Doc | undefined> {
    if (typeof id === 'string' && this.#place.scope.session === undefined) return this.#run(() => this.#gets.get(id))
    return this.#run(async () => {
      const found = await this.#place.byId(id)
      return found && unpack(found)
    })
  }

  getMany(ids: readonly string[]): Promise<readonly Doc[]> {
    return this.#run(() => getMany(this.#place, ids))
  }

  find(query: Query<Any> = {}): Promise<Page<Any>> {
    return this.#run(() => findPage(this.#place, query))
  }

  count(where?: object, { max }: { readonly max?: number } = {}): Promise<number> {
    return this.#run(() => count(this.#place, where, max))
  }

  group(query: GroupQuery<Any>): Promise<readonly Group[]> {
    return this.#run(() => group(this.#place, query))
  }

  distinct(field: string, where?: object): Promise<readonly Any[]> {
    return this.#run(() => distinct(this.#place, field, where))
  }

  search(query: SearchQuery<Any>): Promise<readonly SearchHit<Any>[]> {
    return this.#run(() => search(this.#place, query))
  }

  insert(doc: Doc): Promise<Doc> {
    return this.#inTurn(String(doc[this.#place.layout.key]), () => this.#writes.insert(doc))
  }

  async insertMany(docs: readonly Doc[]): Promise<readonly Doc[]> {
    checkDocuments(docs)
    const stored = docs.map((doc) => toJson(doc))
    for (const doc of stored) documentId(doc, this.#place.layout.key)
    // The driver refuses an empty list.
    if (stored.length === 0) return []
    return this.#whole((_place, writes) => writes.insertAll(stored))
  }

  updateOne(id: string, update: object, where?: object): Promise<Doc | undefined> {
    return this.#inTurn(id, () =>
      this.#writes.persist<Doc | undefined>(async () => {
        const found = await this.#place.byId(id, where)
        if (!found) return { done: undefined }
        const changed = await this.#writes.change(found, update, where)
        return changed === TOO_SOON ? { done: undefined } : changed
      }),
    )
  }

  upsert(doc: Doc, update: object): Promise<Doc> {
    const id = documentId(doc, this.#place.layout.key)
    return this.#inTurn(id, () =>
      this.#writes.persist<Doc>(async () => {
        const found = await this.#place.byId(id)
        // Without a filter, no change can come too early.
        if (found) return (await this.#writes.change(found, update)) as { done: Doc } | undefined
        try {
          return { done: await this.#writes.insert(doc) }
        } catch (error) {
          // Another process inserted this id first; a refusal by a unique index is passed to the caller.
          if (this.#place.scope.session || !(await this.#place.byId(id))) throw error
          return undefined
        }
      }),
    )
  }

  claim({ where, sort, update }: Claim<Any>): Promise<Doc | undefined> {
    return this.#run(() => {
      const name = JSON.stringify([where, sort])
      const queue = this.#claims.get(name) ?? this.#claimQueue(where, sort)
      this.#claims.set(name, queue)
      return queue.claim({ where, update }, () => this.#claims.delete(name))
    })
  }

  updateMany(where: object, update: object): Promise<number> {
    return this.#whole((place, writes) => changeMany(place, writes, where, update))
  }

  deleteOne(id: string, where?: object): Promise<Doc | undefined> {
    return this.#inTurn(id, () =>
      this.#writes.persist(async () => {
        const found = await this.#place.byId(id, where)
        return found ? this.#writes.remove(found, where) : { done: undefined }
      }),
    )
  }

  deleteMany(where: object): Promise<number> {
    return this.#run(async () => {
      const { docs, options } = this.#place
      const { deletedCount } = await docs.deleteMany({ ...this.#place.query(where), ...this.#writes.guard(where) }, options)
      return deletedCount
    })
  }

  in(tx: Transaction): Collection<Any> {
    const { layout, tenant, docs } = this.#place
    return new MongoCollectionAdapter(layout, tenant, docs, this.#join(tx, tenant), this.#join)
  }

  #claimQueue(where: Claim<Any>['where'], sort: Claim<Any>['sort']): Claims {
    const { layout, docs, reading, scope } = this.#place
    const order = sortOf(totalOrder(sort, layout.key))
    return new ClaimQueue(
      {
        read: (limit) => docs.find(this.#place.query(where), reading).sort(order).limit(limit).toArray(),
        take: (attempts) => takeAll(this.#place, this.#writes, attempts),
      },
      MAX_ATTEMPTS,
      scope.answerLimitMs,
    )
  }

  #run<T>(work: () => Promise<T>): Promise<T> {
    return this.#place.scope.run(work)
  }

  #inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.#run(() => this.#queue.take(id, work))
  }

  #whole<T>(work: (place: Place, writes: Writes) => Promise<T>): Promise<T> {
    return this.#run(() =>
      this.#place.scope.whole((scope) => {
        const place = this.#place.within(scope)
        return work(place, new Writes(place))
      }),
    )
  }
}

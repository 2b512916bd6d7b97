import type { Claim, Collection, Group, GroupQuery, Page, Query, SearchHit, SearchQuery, Transaction } from '@gateway/sdk'
import {
  badField,
  checkBytes,
  checkDocuments,
  checkIds,
  checkLimit,
  type Doc,
  decodeCursor,
  documentId,
  encodeCursor,
  matches,
  PageRows,
  type Position,
  type Scalar,
  toJson,
  totalOrder,
} from '@gateway/storage'
import type { ClientSession, Document, Collection as MongoCollection, ObjectId, WithId } from 'mongodb'
import { checkGroup, groupPipeline, groupsOf } from './aggregate.ts'
import { changeOf, timeGuards } from './change.ts'
import { ClaimQueue } from './claims.ts'
import { anyOf, filterToQuery } from './filter.ts'
import { at, duplicateKey, isDuplicate, type Layout, pack, type Stored, unpack } from './layout.ts'
import { afterPosition, sortOf } from './order.ts'
import type { Scope } from './scope.ts'
import { searchPrepared, searchText } from './text-search.ts'
import { Turns } from './turns.ts'
import { UniqueKeys } from './unique-keys.ts'

// biome-ignore lint/suspicious/noExplicitAny: the port gives each caller its own document type
type Any = any
type Found = WithId<Stored>

/** A change whose document others keep changing gives up after this many readings. */
const MAX_ATTEMPTS = 200
const PAGE = 1_000
/** By the server’s clock what was to be changed is not due yet, whatever this node’s says. */
const TOO_SOON = Symbol('too soon')

/** One tenant’s documents of one collection. */
export class MongoCollectionAdapter implements Collection<Any> {
  readonly #layout: Layout
  readonly #tenant: string
  readonly #docs: MongoCollection<Stored>
  readonly #scope: Scope
  readonly #join: (tx: Transaction, tenant: string) => Scope
  readonly #turns: Turns
  readonly #unique: UniqueKeys
  /** By filter and order. */
  readonly #claims = new Map<string, ClaimQueue<Found, Doc>>()

  constructor(
    layout: Layout,
    tenant: string,
    docs: MongoCollection<Stored>,
    scope: Scope,
    join: (tx: Transaction, tenant: string) => Scope,
  ) {
    this.#layout = layout
    this.#tenant = tenant
    this.#docs = docs
    this.#scope = scope
    this.#join = join
    this.#turns = new Turns(scope.answerLimitMs)
    this.#unique = new UniqueKeys(layout, tenant, docs, scope.session)
  }

  get(id: string): Promise<Doc | undefined> {
    return this.#run(async () => {
      const found = await this.#byId(id)
      return found && unpack(found)
    })
  }

  getMany(ids: readonly string[]): Promise<readonly Doc[]> {
    return this.#run(async () => {
      const wanted = [...new Set(checkIds(ids))]
      const found = await this.#docs.find({ t: this.#tenant, [at(this.#layout.key)]: { $in: wanted } }, this.#options).toArray()
      const byId = new Map<unknown, Doc>(found.map((one) => [one.d[this.#layout.key], unpack(one)]))
      return wanted.flatMap((id): Doc[] => {
        const doc = byId.get(id)
        return doc ? [doc] : []
      })
    })
  }

  find({ where, sort, limit: asked, cursor, maxBytes }: Query<Any> = {}): Promise<Page<Any>> {
    return this.#run(async () => {
      const limit = checkLimit(asked, 100, 10_000)
      const order = totalOrder(sort, this.#layout.key)
      const scope = JSON.stringify([this.#layout.id, this.#tenant, where, sort])
      const query = this.#query(where, this.#scope.now())
      const position = cursor === undefined ? undefined : (decodeCursor(scope, cursor, order.length) as (Scalar | null)[])
      const page = position ? { $and: [query, anyOf(afterPosition(order, position, this.#layout.mixed))] } : query
      const most = checkBytes(maxBytes)
      const rows = new PageRows<Doc>(limit, most)
      const found = this.#docs
        .find(page, this.#options)
        .sort(sortOf(order))
        .limit(limit + 1)
      if (maxBytes === undefined) for (const one of await found.toArray()) rows.add(unpack(one), 0)
      else await fill(rows, found)
      const { rows: items, more } = rows
      const last = items.at(-1)
      if (!more || !last) return { items }
      return { items, nextCursor: encodeCursor(scope, order.map(({ field }) => last[field] ?? null) as Position) }
    })
  }

  count(where?: object, { max }: { readonly max?: number } = {}): Promise<number> {
    return this.#run(async () => {
      if (max !== undefined && (!Number.isInteger(max) || max < 0))
        throw badField('max', `expected an integer from 0; got ${JSON.stringify(max)}`)
      // To the driver a limit of 0 is none.
      if (max === 0) return 0
      const limit = max === undefined ? {} : { limit: max }
      return this.#docs.countDocuments(this.#query(where, this.#scope.now()), { ...this.#options, ...limit })
    })
  }

  group(query: GroupQuery<Any>): Promise<readonly Group[]> {
    return this.#run(async () => {
      checkGroup(query)
      const pipeline = [{ $match: this.#query(query.where, this.#scope.now()) }, ...groupPipeline(query)]
      return groupsOf(query, await this.#docs.aggregate<Document>(pipeline, this.#options).toArray())
    })
  }

  distinct(field: string, where?: object): Promise<readonly Any[]> {
    return this.#run(async () => {
      const { id, key, indexes } = this.#layout
      const isIndexed = field === key || indexes.some(({ keys, present }) => present === field || keys.some((one) => one.field === field))
      if (!isIndexed) throw badField(field, `distinct needs an index of ${id} on it`)
      const values = await this.#docs.distinct(at(field), this.#query(where, this.#scope.now()), this.#options)
      return values.sort((a, b) => (a < b ? -1 : 1))
    })
  }

  search(query: SearchQuery<Any>): Promise<readonly SearchHit<Any>[]> {
    return this.#run(async () => {
      if (this.#layout.text.length === 0) throw badField('text', `collection ${this.#layout.id} has no text fields`)
      const limit = checkLimit(query.limit, 10, 1_000)
      const place = { layout: this.#layout, tenant: this.#tenant, docs: this.#docs, options: this.#options, nowMs: this.#scope.now() }
      return this.#layout.weights ? searchPrepared(place, query, limit) : searchText(place, query, limit)
    })
  }

  insert(doc: Doc): Promise<Doc> {
    return this.#inTurn(String(doc[this.#layout.key]), () => this.#insert(doc))
  }

  async insertMany(docs: readonly Doc[]): Promise<readonly Doc[]> {
    checkDocuments(docs)
    const stored = docs.map((doc) => toJson(doc))
    for (const doc of stored) documentId(doc, this.#layout.key)
    // The driver refuses an empty list.
    if (stored.length === 0) return []
    return this.#run(() => this.#scope.whole((scope) => this.#within(scope).#insertAll(stored)))
  }

  updateOne(id: string, update: object, where?: object): Promise<Doc | undefined> {
    return this.#inTurn(id, () =>
      this.#persist(async () => {
        const found = await this.#byId(id, where)
        if (!found) return { done: undefined }
        const changed = await this.#change(found, update, where)
        return changed === TOO_SOON ? { done: undefined } : changed
      }),
    )
  }

  upsert(doc: Doc, update: object): Promise<Doc> {
    const id = documentId(doc, this.#layout.key)
    return this.#inTurn(id, () =>
      this.#persist<Doc>(async () => {
        const found = await this.#byId(id)
        // Without a filter nothing is too soon.
        if (found) return (await this.#change(found, update)) as { done: Doc } | undefined
        try {
          return { done: await this.#insert(doc) }
        } catch (error) {
          // Another came first, with this id; a unique index that refuses is the caller’s.
          if (this.#scope.session || !(await this.#byId(id))) throw error
          return undefined
        }
      }),
    )
  }

  claim({ where, sort, update }: Claim<Any>): Promise<Doc | undefined> {
    const order = sortOf(totalOrder(sort, this.#layout.key))
    const read = (limit: number): Promise<Found[]> =>
      this.#docs.find(this.#query(where, this.#scope.now()), this.#options).sort(order).limit(limit).toArray()
    const take = async (found: Found): Promise<Doc | undefined | null> => {
      const changed = await this.#change(found, update, where)
      return changed === TOO_SOON ? null : changed?.done
    }
    return this.#run(() => {
      const name = JSON.stringify([where, sort])
      const queue = this.#claims.get(name) ?? new ClaimQueue<Found, Doc>({ read }, MAX_ATTEMPTS, this.#scope.answerLimitMs)
      this.#claims.set(name, queue)
      return queue.claim(take, () => this.#claims.delete(name))
    })
  }

  updateMany(where: object, update: object): Promise<number> {
    return this.#run(() =>
      this.#scope.whole((scope) => {
        const one = this.#within(scope)
        if (one.#changesTogether) return one.#changeAll(where, update)
        return one.#each(where, (found) => one.#persistFrom(found, update, where))
      }),
    )
  }

  deleteOne(id: string, where?: object): Promise<Doc | undefined> {
    return this.#inTurn(id, () =>
      this.#persist(async () => {
        const found = await this.#byId(id, where)
        if (!found) return { done: undefined }
        const guard = this.#guard(where)
        const { deletedCount } = await this.#docs.deleteOne({ _id: found._id, t: found.t, r: found.r, ...guard }, this.#options)
        if (deletedCount === 1) return { done: unpack(found) }
        return (await this.#isTooSoon(found, guard)) ? { done: undefined } : undefined
      }),
    )
  }

  deleteMany(where: object): Promise<number> {
    return this.#run(async () => {
      const filter = { ...this.#query(where, this.#scope.now()), ...this.#guard(where) }
      const { deletedCount } = await this.#docs.deleteMany(filter, this.#options)
      return deletedCount
    })
  }

  in(tx: Transaction): Collection<Any> {
    return this.#within(this.#join(tx, this.#tenant))
  }

  get #options(): { readonly session?: ClientSession } {
    return this.#scope.session ? { session: this.#scope.session } : {}
  }

  #within(scope: Scope): MongoCollectionAdapter {
    return new MongoCollectionAdapter(this.#layout, this.#tenant, this.#docs, scope, this.#join)
  }

  #run<T>(work: () => Promise<T>): Promise<T> {
    return this.#scope.run(work)
  }

  #inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.#run(() => this.#turns.take(id, work))
  }

  #query(where: object | undefined, nowMs: number): Document {
    return { $and: [{ t: this.#tenant }, filterToQuery(where, nowMs)] }
  }

  async #byId(id: string, where?: object): Promise<Found | undefined> {
    if (typeof id !== 'string') throw badField(this.#layout.key, `expected an id, a string; got ${JSON.stringify(id)}`)
    const found = await this.#docs.findOne({ t: this.#tenant, [at(this.#layout.key)]: id }, this.#options)
    return found && (where === undefined || matches(unpack(found), where, this.#scope.now())) ? found : undefined
  }

  async #insert(doc: Doc): Promise<Doc> {
    const stored = toJson(doc)
    documentId(stored, this.#layout.key)
    await this.#unique.refuseTaken(stored)
    try {
      await this.#docs.insertOne(pack(this.#tenant, stored, 1) as never, this.#options)
      return stored
    } catch (error) {
      throw duplicateKey(this.#layout, error)
    }
  }

  async #insertAll(stored: readonly Doc[]): Promise<readonly Doc[]> {
    await this.#unique.refuseAnyTaken(stored)
    try {
      const packed = stored.map((doc) => pack(this.#tenant, doc, 1))
      await this.#docs.insertMany(packed as never, this.#options)
      return stored
    } catch (error) {
      throw duplicateKey(this.#layout, error)
    }
  }

  /** The filter’s comparisons with now, for the server to make by its own clock. */
  #guard(where: object | undefined): Document {
    const guards = this.#scope.serverTimes ? timeGuards(where) : []
    return guards.length > 0 ? { $expr: { $and: guards } } : {}
  }

  /** Whether a write was refused by the server’s clock, not because another had changed the document. */
  async #isTooSoon({ _id, t, r }: Found, guard: Document): Promise<boolean> {
    if (!guard.$expr) return false
    return (await this.#docs.findOne({ _id, t, r }, { ...this.#options, projection: { _id: 1 } })) !== null
  }

  /** The document after the change; undefined when another changed it first. */
  async #change(found: Found, update: object, where?: object): Promise<{ done: Doc } | undefined | typeof TOO_SOON> {
    const { serverTimes } = this.#scope
    const change = changeOf(found, this.#layout.key, update, where, this.#scope.now(), serverTimes)
    await this.#unique.refuseTaken(change.after, found._id)
    try {
      if (serverTimes) {
        const options = { ...this.#options, returnDocument: 'after' as const }
        const after = await this.#docs.findOneAndUpdate(change.filter, change.update as Document[], options)
        if (after) return { done: unpack(after) }
        return (await this.#isTooSoon(found, this.#guard(where))) ? TOO_SOON : undefined
      }
      const { matchedCount } = await this.#docs.replaceOne(change.filter, change.update as never, this.#options)
      return matchedCount === 1 ? { done: change.after } : undefined
    } catch (error) {
      throw isDuplicate(error) ? duplicateKey(this.#layout, error) : error
    }
  }

  /** Tries until an attempt is not overtaken. */
  async #persist<T>(attempt: () => Promise<{ done: T } | undefined>): Promise<T> {
    for (let i = 0; i < MAX_ATTEMPTS; i++) {
      const outcome = await attempt()
      if (outcome) return outcome.done
    }
    throw new Error(`a document of ${this.#layout.id} was changed by others ${MAX_ATTEMPTS} times in a row`)
  }

  /** Whether a document that was found was changed, now or as others have left it. */
  #persistFrom(found: Found, update: object, where: object): Promise<boolean> {
    let current: Found | undefined = found
    return this.#persist(async () => {
      if (!current) return { done: false }
      const changed = await this.#change(current, update, where)
      if (changed) return { done: changed !== TOO_SOON }
      current = await this.#byId(found.d[this.#layout.key] as string, where)
      return undefined
    })
  }

  /** Inside a transaction nobody comes first unseen, and without unique indexes nothing is to be asked before a write. */
  get #changesTogether(): boolean {
    return this.#scope.session !== undefined && !this.#layout.indexes.some(({ unique }) => unique)
  }

  /** As one write a page, not one a document. */
  async #changeAll(where: object, update: object): Promise<number> {
    let changed = 0
    await this.#pages(where, async (page) => {
      const writes = page.map((found) => {
        const { filter, update: replacement } = changeOf(found, this.#layout.key, update, where, this.#scope.now(), false)
        return { replaceOne: { filter, replacement: replacement as Stored } }
      })
      const { matchedCount } = await this.#docs.bulkWrite(writes, { ...this.#options, ordered: true })
      changed += matchedCount
    })
    return changed
  }

  /** Every match once, in pages: their documents may be more than memory holds. */
  async #pages(where: object, visit: (page: readonly Found[]) => Promise<void>): Promise<void> {
    // The keys first: a change may move a document to where it would be met again.
    const query = this.#query(where, this.#scope.now())
    const keys = await this.#docs.find(query, { ...this.#options, projection: { _id: 1 } }).toArray()
    for (let from = 0; from < keys.length; from += PAGE) {
      const ids: ObjectId[] = keys.slice(from, from + PAGE).map(({ _id }) => _id as unknown as ObjectId)
      const page = await this.#docs.find({ _id: { $in: ids } } as Document, this.#options).toArray()
      if (page.length > 0) await visit(page)
    }
  }

  async #each(where: object, visit: (found: Found) => Promise<boolean>): Promise<number> {
    let visited = 0
    await this.#pages(where, async (page) => {
      for (const found of page) if (await visit(found)) visited++
    })
    return visited
  }
}

/** Leaving the loop closes the cursor. */
async function fill(rows: PageRows<Doc>, found: AsyncIterable<Found>): Promise<void> {
  for await (const one of found) {
    const doc = unpack(one)
    if (!rows.add(doc, Buffer.byteLength(JSON.stringify(doc)))) return
  }
}

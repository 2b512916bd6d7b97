import type { Claim, Collection, GroupQuery, Query, SearchQuery, Transaction } from '@gateway/sdk'

// biome-ignore lint/suspicious/noExplicitAny: the port gives each caller its own document type
type Any = any

export interface Joining {
  read<T>(inner: Collection<object>, operation: (collection: Collection<object>) => Promise<T>): Promise<T>
  write<T>(inner: Collection<object>, operation: (collection: Collection<object>) => Promise<T>): Promise<T>
}

export class JoinedCollection implements Collection<Any> {
  readonly #inner: Collection<Any>
  readonly #commit: Joining

  constructor(inner: Collection<Any>, commit: Joining) {
    this.#inner = inner
    this.#commit = commit
  }

  get(id: string): Promise<Any> {
    return this.#commit.read(this.#inner, (docs) => docs.get(id))
  }

  getMany(ids: readonly string[]): Promise<Any> {
    return this.#commit.read(this.#inner, (docs) => docs.getMany(ids))
  }

  find(query?: Query<Any>): Promise<Any> {
    return this.#commit.read(this.#inner, (docs) => docs.find(query))
  }

  count(where?: object, options?: { readonly max?: number }): Promise<Any> {
    return this.#commit.read(this.#inner, (docs) => docs.count(where, options))
  }

  group(query: GroupQuery<Any>): Promise<Any> {
    return this.#commit.read(this.#inner, (docs) => docs.group(query))
  }

  distinct(field: string, where?: object): Promise<Any> {
    return this.#commit.read(this.#inner, (docs: Collection<Any>) => docs.distinct(field as never, where))
  }

  search(query: SearchQuery<Any>): Promise<Any> {
    return this.#commit.read(this.#inner, (docs) => docs.search(query))
  }

  insert(doc: Any): Promise<Any> {
    return this.#commit.write(this.#inner, (docs) => docs.insert(doc))
  }

  insertMany(all: readonly Any[]): Promise<Any> {
    return this.#commit.write(this.#inner, (docs) => docs.insertMany(all))
  }

  updateOne(id: string, update: object, where?: object): Promise<Any> {
    return this.#commit.write(this.#inner, (docs) => docs.updateOne(id, update, where))
  }

  upsert(doc: Any, update: object): Promise<Any> {
    return this.#commit.write(this.#inner, (docs) => docs.upsert(doc, update))
  }

  claim(claim: Claim<Any>): Promise<Any> {
    return this.#commit.write(this.#inner, (docs) => docs.claim(claim))
  }

  updateMany(where: object, update: object): Promise<Any> {
    return this.#commit.write(this.#inner, (docs) => docs.updateMany(where, update))
  }

  deleteOne(id: string, where?: object): Promise<Any> {
    return this.#commit.write(this.#inner, (docs) => docs.deleteOne(id, where))
  }

  deleteMany(where: object): Promise<Any> {
    return this.#commit.write(this.#inner, (docs) => docs.deleteMany(where))
  }

  in(tx: Transaction): Collection<Any> {
    return this.#inner.in(tx)
  }
}

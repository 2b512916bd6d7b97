import type { Claim, Collection, Group, GroupQuery, Page, Query, SearchHit, SearchQuery, Transaction } from '@gateway/sdk'
import {
  checkBytes,
  checkDocuments,
  checkIds,
  checkLimit,
  type Doc,
  decodeCursor,
  documentId,
  encodeCursor,
  matches,
  type Position,
  searchWords,
  totalOrder,
} from '@gateway/storage'
import type { Access } from './access.ts'
import { countSql, distinctSql, distinctValues, groupSql, groupsOf } from './aggregate.ts'
import { claimHead, noteWrite } from './claim-head.ts'
import type { Connection } from './connection.ts'
import type { Row, SqlValue } from './driver.ts'
import { filterToSql } from './filter-to-sql.ts'
import { deleteRow, insertDoc, parse, updateDoc } from './row-writer.ts'
import { searchSql } from './search.ts'
import { affordable, FEW_WORDS, type PreparedQuery, preparedQuery, searchPreparedSql, termsSql } from './search-prepared.ts'
import { type Selection, type Statement, selectPage, selectRows } from './select.ts'
import { fieldValue, idValue, type Table } from './table.ts'

/**
 * Writers check documents against their types; here they are JSON.
 */
// biome-ignore lint/suspicious/noExplicitAny: the port gives each caller its own document type
type Any = any

export class SqliteCollection implements Collection<Any> {
  readonly #table: Table
  readonly #tenant: string
  readonly #access: Access
  readonly #join: (tx: Transaction, tenant: string) => Access

  constructor(table: Table, tenant: string, access: Access, join: (tx: Transaction, tenant: string) => Access) {
    this.#table = table
    this.#tenant = tenant
    this.#access = access
    this.#join = join
  }

  get(id: string): Promise<Doc | undefined> {
    return this.#access.document(this.#table, this.#tenant, id)
  }

  getMany(ids: readonly string[]): Promise<readonly Doc[]> {
    return this.#access.read((db) => {
      const wanted = [...new Set(checkIds(ids))]
      const sql = `select pk, id, doc from ${this.#table.name} where tenant = ? and id in (select value from json_each(?))`
      const rows = new Map(db.all(sql, [this.#tenant, JSON.stringify(wanted)]).map((row) => [row.id, row]))
      return wanted.flatMap((id) => {
        const row = rows.get(id)
        return row ? [parse(row)] : []
      })
    })
  }

  find(query: Query<Any> = {}): Promise<Page<Any>> {
    return this.#access.read((db, nowMs) => {
      const limit = checkLimit(query.limit, 100, 10_000)
      const { where, sort, cursor, maxBytes } = query
      const table = this.#table
      const order = totalOrder(sort, table.key)
      const scope = (): string => JSON.stringify([table.id, this.#tenant, where, sort])
      const after = cursor === undefined ? {} : { after: decodeCursor(scope(), cursor, order.length) as SqlValue[] }
      const selection = { table, tenant: this.#tenant, where, order, nowMs, ...after }
      const { rows, more } =
        maxBytes === undefined ? firstRows(db, selection, limit) : selectPage(db, selection, limit, checkBytes(maxBytes))
      const items = rows.map(parse)
      const last = items.at(-1)
      if (!more || !last) return { items }
      const position = order.map((key) => fieldValue(last, key.field)) as Position
      return { items, nextCursor: encodeCursor(scope(), position) }
    })
  }

  async count(where?: object, options: { readonly max?: number } = {}): Promise<number> {
    const { max } = options
    const compile = (nowMs: number): Statement => countSql(this.#table, this.#tenant, where, max, nowMs)
    const [row] = await (max === undefined ? this.#access.heavy(this.#table, this.#tenant, compile) : this.#rows(compile))
    return row?.count as number
  }

  async group(query: GroupQuery<Any>): Promise<readonly Group[]> {
    const rows = await this.#access.heavy(this.#table, this.#tenant, (nowMs) => groupSql(this.#table, this.#tenant, query, nowMs))
    return groupsOf(this.#table, query, rows)
  }

  async distinct(field: string, where?: object): Promise<readonly Any[]> {
    const rows = await this.#rows((nowMs) => distinctSql(this.#table, this.#tenant, field, where, nowMs))
    return distinctValues(this.#table, field, rows)
  }

  async search(query: SearchQuery<Any>): Promise<readonly SearchHit<Any>[]> {
    if (this.#table.weights) return this.#searchPrepared(query)
    const words = searchWords(query.text)
    const hits = async (joined: string): Promise<readonly SearchHit<Any>[]> => {
      // The words of all tenants are in one list.
      const rows = await this.#access.heavy(
        this.#table,
        this.#tenant,
        (nowMs) => searchSql(this.#table, this.#tenant, query, joined, nowMs),
        'with the collection',
      )
      return rows.map((row) => ({ item: parse(row), score: row.score as number }))
    }
    const all = words.length === 0 ? [] : await hits(words.join(' AND '))
    return all.length === 0 && words.length > 1 ? hits(words.join(' OR ')) : all
  }

  insert(doc: Doc): Promise<Doc> {
    return this.#write((db) => insertDoc(db, this.#table, this.#tenant, doc))
  }

  async insertMany(docs: readonly Doc[]): Promise<readonly Doc[]> {
    checkDocuments(docs)
    return this.#write((db) => db.whole(() => docs.map((doc) => insertDoc(db, this.#table, this.#tenant, doc))))
  }

  updateOne(id: string, update: object, where?: object): Promise<Doc | undefined> {
    return this.#write((db, nowMs) => {
      const row = this.#row(db, id, where, nowMs)
      return row && this.#update(db, row, update, nowMs)
    })
  }

  upsert(doc: Doc, update: object): Promise<Doc> {
    return this.#write((db, nowMs) => {
      const row = this.#row(db, documentId(doc, this.#table.key))
      return row ? this.#update(db, row, update, nowMs) : insertDoc(db, this.#table, this.#tenant, doc)
    })
  }

  claim({ where, sort, update }: Claim<Any>): Promise<Doc | undefined> {
    return this.#access.write((db, nowMs, group) => {
      const order = totalOrder(sort, this.#table.key)
      const selection = { table: this.#table, tenant: this.#tenant, where, order, nowMs }
      return claimHead(db, selection, group, (row) => this.#update(db, row, update, nowMs))
    })
  }

  updateMany(where: object, update: object): Promise<number> {
    return this.#write((db, nowMs) => {
      const pks = this.#pks(db, where, nowMs)
      const sql = `select pk, doc from ${this.#table.name} where pk = ?`
      db.whole(() => {
        for (const pk of pks) this.#update(db, db.get(sql, [pk]) as Row, update, nowMs)
      })
      return pks.length
    })
  }

  deleteOne(id: string, where?: object): Promise<Doc | undefined> {
    return this.#write((db, nowMs) => {
      const row = this.#row(db, id, where, nowMs)
      if (!row) return undefined
      deleteRow(db, this.#table, row)
      return parse(row)
    })
  }

  deleteMany(where: object): Promise<number> {
    return this.#write((db, nowMs) => {
      if (this.#table.text.length === 0) return this.#deleteRows(db, where, nowMs)
      const pks = this.#pks(db, where, nowMs)
      db.whole(() => {
        for (const pk of pks) deleteRow(db, this.#table, { pk })
      })
      return pks.length
    })
  }

  in(tx: Transaction): Collection<Any> {
    return new SqliteCollection(this.#table, this.#tenant, this.#join(tx, this.#tenant), this.#join)
  }

  async #searchPrepared(query: SearchQuery<Any>): Promise<readonly SearchHit<Any>[]> {
    const [table, tenant] = [this.#table, this.#tenant]
    const prepared = preparedQuery(table, tenant, query)
    if (prepared.any.length === 0 && prepared.must.length === 0) return []
    const compile = (words: readonly string[]) => (nowMs: number) => searchPreparedSql(table, tenant, prepared, words, nowMs)
    return (await this.#preparedRows(prepared, compile)).map((row) => ({ item: parse(row), score: row.score as number }))
  }

  /** With few documents all words of a short query can be scored without a look-up. */
  async #preparedRows(query: PreparedQuery, compile: (words: readonly string[]) => (nowMs: number) => Statement): Promise<readonly Row[]> {
    const [table, tenant] = [this.#table, this.#tenant]
    const isShort = query.any.length <= FEW_WORDS
    if (isShort && (await this.#access.hasFew(table, tenant))) return this.#access.heavy(table, tenant, compile(query.any), 'little')
    if (query.any.length === 0) return this.#access.heavy(table, tenant, compile([]))
    const grows = isShort ? 'with the tenant' : 'with the question'
    const words = affordable(await this.#access.heavy(table, tenant, () => termsSql(table, query), grows))
    // Words that occur nowhere find nothing.
    return words.length === 0 ? [] : this.#access.heavy(table, tenant, compile(words))
  }

  #write<T>(work: (db: Connection, nowMs: number) => T): Promise<T> {
    return this.#access.write((db, nowMs, group) => {
      noteWrite(this.#table, group)
      return work(db, nowMs)
    })
  }

  #rows(compile: (nowMs: number) => Statement): Promise<readonly Row[]> {
    return this.#access.read((db, nowMs) => {
      const { sql, params } = compile(nowMs)
      return db.all(sql, params)
    })
  }

  #row(db: Connection, id: string, where?: object, nowMs = 0): Row | undefined {
    const row = db.get(this.#table.byId, [this.#tenant, idValue(this.#table, id)])
    return row && (where === undefined || matches(parse(row), where, nowMs)) ? row : undefined
  }

  #update(db: Connection, row: Row, update: object, nowMs: number): Doc {
    return updateDoc(db, this.#table, this.#tenant, row, update, nowMs)
  }

  /** Uses one statement; if words of text are removed too, the keys must be known. */
  #deleteRows(db: Connection, where: object, nowMs: number): number {
    const params: SqlValue[] = [this.#tenant]
    const sql = `delete from ${this.#table.name} where tenant = ?${filterToSql(this.#table, where, nowMs, params)}`
    return Number(db.run(sql, params).changes)
  }

  /** Keys of the rows to change: their documents may exceed the memory, and changing while reading would visit rows twice. */
  #pks(db: Connection, where: object, nowMs: number): readonly number[] {
    const params: SqlValue[] = [this.#tenant]
    const sql = `select pk from ${this.#table.name} where tenant = ?${filterToSql(this.#table, where, nowMs, params)}`
    return db.all(sql, params).map((row) => row.pk as number)
  }
}

function firstRows(db: Connection, selection: Selection, limit: number): { readonly rows: readonly Row[]; readonly more: boolean } {
  const rows = selectRows(db, selection, limit + 1)
  return rows.length > limit ? { rows: rows.slice(0, limit), more: true } : { rows, more: false }
}

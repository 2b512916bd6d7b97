import type { Transaction } from '@gateway/sdk'
import type { Doc } from '@gateway/storage'
import { isFew } from './aggregate.ts'
import type { Group } from './claim-head.ts'
import type { Connection } from './connection.ts'
import type { Row } from './driver.ts'
import { parse } from './row-writer.ts'
import type { Statement } from './select.ts'
import { idValue, type Table } from './table.ts'
import type { Writer } from './writer.ts'

/** `group` is present if the work may write. */
export type Work<T> = (db: Connection, nowMs: number, group?: Group) => T

export type Grows = 'little' | 'with the tenant' | 'with the collection' | 'with the question'

/** Scope of a collection's operations: independent, or inside one transaction. */
export interface Access {
  document(table: Table, tenant: string, id: unknown): Promise<Doc | undefined>
  read<T>(work: Work<T>): Promise<T>
  write<T>(work: Work<T>): Promise<T>
  /** True if the tenant has so few documents in `table`, a few hundred at most, that work on all of them at once is cheap. */
  hasFew(table: Table, tenant: string): Promise<boolean>
  /**
   * The rows of a statement whose cost grows with the tenant's documents in `table`, or with those of all tenants; also of any
   * text search.
   */
  heavy(table: Table, tenant: string, compile: (nowMs: number) => Statement, grows?: Grows): Promise<readonly Row[]>
}

/** Inside a transaction reads and writes run at once, on the writer's connection, at the transaction's time. */
export class TransactionAccess implements Access {
  readonly tenant: string
  readonly #writer: Writer
  readonly #nowMs: number
  readonly #group: Group
  #ended = false

  constructor(writer: Writer, tenant: string, tx: Transaction, group: Group) {
    this.#writer = writer
    this.#group = group
    this.tenant = tenant
    this.#nowMs = tx.now.getTime()
  }

  document(table: Table, tenant: string, id: unknown): Promise<Doc | undefined> {
    return this.read((db) => {
      const row = db.get(table.byId, [tenant, idValue(table, id)])
      return row && parse(row)
    })
  }

  async read<T>(work: Work<T>): Promise<T> {
    if (this.#ended) throw new Error('This transaction has ended: its collections can no longer be used.')
    // SQLite may have ended the transaction at once, and a later write would then be kept on its own.
    if (this.#writer.failure !== undefined) throw this.#writer.failure
    try {
      return work(this.#writer.db, this.#nowMs, this.#group)
    } catch (error) {
      this.#writer.noticeFailure(error)
      throw error
    }
  }

  write<T>(work: Work<T>): Promise<T> {
    return this.read(work)
  }

  hasFew(table: Table, tenant: string): Promise<boolean> {
    return this.read((db) => isFew(db, table, tenant))
  }

  heavy(_table: Table, _tenant: string, compile: (nowMs: number) => Statement): Promise<readonly Row[]> {
    return this.read((db, nowMs) => {
      db.texts.write(db)
      const { sql, params } = compile(nowMs)
      return db.all(sql, params)
    })
  }

  end(): void {
    this.#ended = true
  }
}

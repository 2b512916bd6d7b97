import type { Clock } from '@gateway/kernel'
import { Unavailable } from '@gateway/sdk'
import type { Doc } from '@gateway/storage'
import type { Access, Grows, Work } from './access.ts'
import { isFew } from './aggregate.ts'
import type { Connection } from './connection.ts'
import type { Damage } from './damage.ts'
import type { Row } from './driver.ts'
import type { HeavyWork } from './heavy.ts'
import type { Reader } from './reader.ts'
import { parse } from './row-writer.ts'
import type { Statement } from './select.ts'
import type { Table } from './table.ts'
import type { Writer } from './writer.ts'

interface Parts {
  readonly clock: Clock
  readonly writer: Writer
  readonly reader: Reader
  readonly heavyWork: HeavyWork
  readonly damage: Damage
  /** In a collection of at most this many documents all reads run at once. */
  readonly smallCollection: number
}

/** Outside a transaction reads see committed data and answer when it is durable; writes join the next group. */
export class CommittedAccess implements Access {
  readonly #parts: Parts
  readonly #writer: Writer
  #closed = false

  constructor(parts: Parts) {
    this.#parts = parts
    this.#writer = parts.writer
  }

  async document(table: Table, tenant: string, id: unknown): Promise<Doc | undefined> {
    const { damage } = this.#parts
    const row = damage.noticed(() => this.#reading().row(table, tenant, id))
    if (this.#writer.syncing) await this.#writer.syncing
    return row && parse(row)
  }

  async read<T>(work: Work<T>): Promise<T> {
    const { damage, clock } = this.#parts
    const found = damage.noticed(() => work(this.#reading().db, clock.now()))
    if (this.#writer.syncing) await this.#writer.syncing
    return found
  }

  write<T>(work: Work<T>): Promise<T> {
    return this.#writer.write(work)
  }

  async hasFew(table: Table, tenant: string): Promise<boolean> {
    const { damage, smallCollection } = this.#parts
    return damage.noticed(() => isFew(this.#reading().db, table, tenant, smallCollection))
  }

  async heavy(
    table: Table,
    tenant: string,
    compile: (nowMs: number) => Statement,
    grows: Grows = 'with the tenant',
  ): Promise<readonly Row[]> {
    const { damage, clock } = this.#parts
    const found = await this.#heavyRows(table, tenant, compile(clock.now()), grows).catch((error: unknown) => {
      throw damage.notice(error)
    })
    await this.#writer.syncing
    return found
  }

  /** For reads that end before the caller awaits anything. */
  get db(): Connection {
    return this.#reading().db
  }

  /** Refuses new operations. */
  close(): void {
    this.#closed = true
  }

  #reading(): Reader {
    if (this.#closed) throw Unavailable({ message: 'The store is closed.' })
    return this.#parts.reader
  }

  async #heavyRows(table: Table, tenant: string, { sql, params }: Statement, grows: Grows): Promise<readonly Row[]> {
    const { db } = this.#reading()
    return this.#isSmall(db, table, tenant, grows) ? db.all(sql, params) : this.#parts.heavyWork.rows({ sql, params }, tenant)
  }

  /**
   * The greatest key bounds the number of documents and is found at once; a tenant's documents are counted only up to a bound.
   */
  #isSmall(db: Connection, table: Table, tenant: string, grows: Grows): boolean {
    if (grows === 'little' || grows === 'with the question') return grows === 'little'
    const small = this.#parts.smallCollection
    const greatest = (db.get(`select max(pk) as pk from ${table.name}`)?.pk ?? 0) as number
    if (greatest <= small || grows === 'with the collection') return greatest <= small
    return isFew(db, table, tenant, small)
  }
}

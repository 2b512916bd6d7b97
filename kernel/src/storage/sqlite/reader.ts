import type { Connection } from './connection.ts'
import type { Row } from './driver.ts'
import { idValue, type Table } from './table.ts'

/** Rows remembered of one turn; what is asked for again and again is asked for early. */
const MAX_ROWS = 100

/**
 * The connection that reads what is committed. All reads of one turn of the event loop share a read transaction: taking
 * and dropping SQLite's locks costs as much as a seek, and in one turn a busy service reads for many callers. Much of it
 * is the same few documents (whether claims rest, what a tenant may do), so a row is looked for once in a transaction.
 */
export class Reader {
  readonly #db: Connection
  readonly #rows = new Map<string, Row | undefined>()
  #reading = false

  constructor(db: Connection) {
    this.#db = db
  }

  /** For reads that end before the caller awaits anything. */
  get db(): Connection {
    if (!this.#reading) {
      this.#db.run('begin')
      this.#reading = true
      setImmediate(() => this.renew())
    }
    return this.#db
  }

  /** The row of a document, for the same use. */
  row(table: Table, tenant: string, id: unknown): Row | undefined {
    const { db } = this
    const key = idValue(table, id)
    const name = `${table.id}\0${tenant}\0${key}`
    const known = this.#rows.get(name)
    if (known !== undefined || this.#rows.has(name)) return known
    const row = db.get(table.byId, [tenant, key])
    if (this.#rows.size < MAX_ROWS) this.#rows.set(name, row)
    return row
  }

  /** What is read from here on is the state committed by now. */
  renew(): void {
    if (!this.#reading) return
    this.#reading = false
    this.#rows.clear()
    this.#db.run('commit')
  }

  close(): void {
    this.renew()
    this.#db.close()
  }
}

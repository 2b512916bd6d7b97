import type { Connection } from './connection.ts'
import type { Row } from './driver.ts'
import { idValue, type Table } from './table.ts'

/** Capacity of the row cache of one turn. Rows that are read repeatedly are read early in the turn. */
const MAX_ROWS = 100

/**
 * The connection that reads committed data. In one turn of the event loop a busy service reads for many callers: from the
 * second read of a turn on they share a transaction, because taking and releasing SQLite's locks costs as much as a seek, and a
 * row that many ask for (whether claims are paused, what a tenant may do) is read once.
 */
export class Reader {
  readonly #db: Connection
  readonly #rows = new Map<string, Row | undefined>()
  #hasRead = false
  #reading = false

  constructor(db: Connection) {
    this.#db = db
  }

  /** For reads that end before the caller awaits anything. */
  get db(): Connection {
    if (!this.#hasRead) {
      this.#hasRead = true
      setImmediate(() => this.#endTurn())
    } else if (!this.#reading) {
      this.#db.do('begin')
      this.#reading = true
    }
    return this.#db
  }

  /** The row of a document, for the same use. */
  row(table: Table, tenant: string, id: unknown): Row | undefined {
    const key = idValue(table, id)
    const name = `${table.id}\0${tenant}\0${key}`
    const known = this.#rows.get(name)
    if (known !== undefined || this.#rows.has(name)) return known
    const row = this.db.get(table.byId, [tenant, key])
    if (this.#rows.size < MAX_ROWS) this.#rows.set(name, row)
    return row
  }

  /** Later reads see the state committed by now. */
  renew(): void {
    this.#rows.clear()
    if (!this.#reading) return
    this.#reading = false
    try {
      this.#db.do('commit')
    } catch {
      this.#giveUp()
    }
  }

  /** After a read met a damaged page SQLite may refuse to end the transaction, and its caller knows already. */
  #giveUp(): void {
    try {
      this.#db.do('rollback')
    } catch {
      // It has ended by itself.
    }
  }

  #endTurn(): void {
    this.#hasRead = false
    this.renew()
  }

  close(): void {
    this.renew()
    this.#db.close()
  }
}

import type { Connection } from './connection.ts'

/**
 * The connection that reads what is committed. All reads of one turn of the event loop share a read transaction: taking
 * and dropping SQLite's locks costs as much as a seek, and in one turn a busy service reads for many callers.
 */
export class Reader {
  readonly #db: Connection
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

  /** What is read from here on is the state committed by now. */
  renew(): void {
    if (!this.#reading) return
    this.#reading = false
    this.#db.run('commit')
  }

  close(): void {
    this.renew()
    this.#db.close()
  }
}

import type { Connection } from './connection.ts'

/**
 * The connection that reads what is committed. From the second read of a turn of the event loop on they share a read
 * transaction: taking and dropping SQLite's locks costs as much as a seek, and in one turn a busy service reads for many
 * callers. To a read that is the only one of its turn a transaction would be two statements more than it needs.
 */
export class Reader {
  readonly #db: Connection
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
      this.#db.run('begin')
      this.#reading = true
    }
    return this.#db
  }

  /** What is read from here on is the state committed by now. */
  renew(): void {
    if (!this.#reading) return
    this.#reading = false
    this.#db.run('commit')
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

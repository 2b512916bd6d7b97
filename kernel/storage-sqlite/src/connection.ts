import { BoundedMap } from '@gateway/sdk/bounds'
import type { Database, Row, SqlValue, Statement } from './driver.ts'
import { isStoreFailure } from './errors.ts'
import { PendingTexts } from './pending-texts.ts'

/** Enough for every shape of query of a large distribution; the oldest are evicted first. */
const MAX_STATEMENTS = 1_000

export class Connection {
  readonly #db: Database
  /** Pending texts of the connection that writes. */
  readonly texts = new PendingTexts()
  readonly #statements = new BoundedMap<string, Statement>(MAX_STATEMENTS)

  constructor(db: Database) {
    this.#db = db
  }

  exec(sql: string): void {
    this.#db.exec(sql)
  }

  get(sql: string, params: readonly SqlValue[] = []): Row | undefined {
    return this.#prepared(sql).get(...params)
  }

  all(sql: string, params: readonly SqlValue[] = []): readonly Row[] {
    return this.#prepared(sql).all(...params)
  }

  /** Reads row by row: a caller that stops early has read no further. */
  each(sql: string, params: readonly SqlValue[] = []): Iterable<Row> {
    return this.#prepared(sql).iterate(...params)
  }

  run(sql: string, params: readonly SqlValue[] = []): ReturnType<Statement['run']> {
    return this.#prepared(sql).run(...params)
  }

  /** Runs a statement without an answer: `get` then allocates nothing, while `run` would make an object of two numbers. */
  do(sql: string, params: readonly SqlValue[] = []): void {
    this.#prepared(sql).get(...params)
  }

  /** Runs `work` so that it leaves nothing behind if it throws. Needed only where several statements can fail midway. */
  whole<T>(work: () => T): T {
    this.begin('operation')
    try {
      const result = work()
      this.release('operation')
      return result
    } catch (error) {
      // After a failure of the database itself nothing may be left to undo, and that failure must be reported.
      if (!isStoreFailure(error)) this.undo('operation')
      throw error
    }
  }

  /** Sets a savepoint after the previous operations. */
  begin(savepoint: string): void {
    this.texts.write(this)
    this.do(`savepoint ${savepoint}`)
  }

  release(savepoint: string): void {
    this.do(`release ${savepoint}`)
  }

  undo(savepoint: string): void {
    this.texts.forget()
    this.do(`rollback to ${savepoint}`)
    this.do(`release ${savepoint}`)
  }

  close(): void {
    this.#statements.clear()
    this.#db.close()
  }

  #prepared(sql: string): Statement {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#db.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

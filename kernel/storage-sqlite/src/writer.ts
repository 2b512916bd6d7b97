import type { Clock } from '@gateway/kernel'
import { Unavailable } from '@gateway/sdk'
import { within } from '@gateway/sdk/bounds'
import { OpenTransaction } from '@gateway/storage'
import type { Group } from './claim-head.ts'
import type { Connection } from './connection.ts'
import { isDamage, isStoreFailure, storeFailed } from './errors.ts'

interface Unit {
  readonly run: (group: Group) => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

type Transacted<T> = (tx: OpenTransaction, group: Group) => Promise<T>

interface Hooks {
  /** Syncs committed data; resolves when it is durable. */
  sync(): Promise<void>
  /** Called when a unit met a damaged page; returns the error for its caller. */
  damaged?(error: unknown): unknown
  /** Called when a group is durable and none of its units knows yet. Must not throw. */
  committed?(): void
  /** Called when a group is durable, with its number of units and the duration of the sync. */
  written?(units: number, syncMs: number): void
  /** Called when every unit of a group has been answered. */
  acknowledged?(): void
}

/** A group holds its acknowledgements until its commit, so it must not grow without end. */
const MAX_GROUP = 1_000
/** A group must not keep others waiting for long either: after this, the rest goes to the next group. */
const GROUP_MS = 50
const LATE = Symbol('late')

/**
 * The only writer. Writes that arrive in one turn of the event loop form a group:
 *
 * 1. The first one schedules the group for the end of the turn.
 * 2. BEGIN IMMEDIATE.
 * 3. Each unit runs in the order of arrival: a write at once, a transaction as long as its work takes. A unit that fails undoes
 *    only its own changes.
 * 4. COMMIT, then one sync to disk for the whole group, while the event loop continues and the next group gathers.
 * 5. Every unit learns its outcome. A failure of the store itself rolls back the group, and every unit learns that; but a unit
 *    that met a damaged page fails alone, and the others run again without it.
 *
 * Between 4. and 5. other connections see what a power cut could still revert, so readers wait for `syncing`. After a failed
 * sync the state of the disk is unknown, and another sync would not reveal it: from then on the store refuses everything.
 */
export class Writer {
  readonly db: Connection
  readonly #clock: Clock
  readonly #transactionLimitMs: number
  readonly #hooks: Hooks
  #queue: Unit[] = []
  #between: (() => Promise<void>)[] = []
  #scheduled = false
  #failure: unknown
  #syncing: Promise<void> | undefined
  #changes = 0
  #refusing: Error | undefined
  #lost: Error | undefined
  #closed = false
  #idle: (() => void)[] = []

  constructor(db: Connection, clock: Clock, transactionLimitMs: number, hooks: Hooks) {
    this.db = db
    this.#clock = clock
    this.#transactionLimitMs = transactionLimitMs
    this.#hooks = hooks
  }

  /** Runs `write` in the next group; resolves with its result when that is durable. */
  write<T>(write: (db: Connection, nowMs: number, group: Group) => T): Promise<T> {
    return this.#enqueue((group) => write(this.db, this.#clock.now(), group)) as Promise<T>
  }

  /** Runs `work` as one unit of the next group. `ended` is called when the transaction is over. */
  async transaction<T>(work: Transacted<T>, ended: (tx: OpenTransaction) => void): Promise<T> {
    const { result, tx } = await (this.#enqueue((group) => this.#runTransaction(work, ended, group)) as Promise<{
      result: T
      tx: OpenTransaction
    }>)
    tx.committed()
    return result
  }

  /** Runs `work` while nothing is written: no group is running, and the next one waits for it. */
  between<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#between.push(() => work().then(resolve, reject))
      this.#schedule()
    })
  }

  /** A failure of the store dooms the group, even if the work of a transaction swallows the error. */
  noticeFailure(error: unknown): void {
    if (isStoreFailure(error)) this.#failure ??= error
  }

  /** The failure that dooms the running group. */
  get failure(): unknown {
    return this.#failure
  }

  /** Present while committed data is being synced: resolves when it is durable. */
  get syncing(): Promise<void> | undefined {
    return this.#syncing
  }

  /** The failed sync, if there was one. */
  get lost(): Error | undefined {
    return this.#lost
  }

  /** Reason why the last writing group was refused as a whole, until one is written again. */
  get refusing(): Error | undefined {
    return this.#refusing
  }

  /** Refuses new writes and resolves when the accepted ones are done. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#scheduled) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  #enqueue(run: Unit['run']): Promise<unknown> {
    if (this.#closed) return Promise.reject(Unavailable({ message: 'The store is closed.' }))
    if (this.#lost) return Promise.reject(this.#lost)
    return new Promise((resolve, reject) => {
      this.#queue.push({ run, resolve, reject })
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => void this.#runQueue())
  }

  async #runQueue(): Promise<void> {
    for (const work of this.#between.splice(0)) await work()
    if (this.#queue.length > 0) await this.#runGroup()
    this.#scheduled = false
    if (this.#queue.length + this.#between.length > 0) this.#schedule()
    else for (const resolve of this.#idle.splice(0)) resolve()
  }

  async #runGroup(): Promise<void> {
    const units = this.#queue.splice(0, MAX_GROUP)
    const group: Group = { units: 0 }
    const outcomes: (() => void)[] = []
    let running: Unit | undefined
    this.#failure = undefined
    try {
      if (this.#lost) throw this.#lost
      this.db.do('begin immediate')
      const until = this.#clock.now() + GROUP_MS
      for (const [done, unit] of units.entries()) {
        const { run, resolve, reject } = unit
        if (done > 0 && this.#clock.now() >= until) {
          this.#queue.unshift(...units.splice(done))
          break
        }
        try {
          group.units++
          running = unit
          const result = run(group)
          const value = result instanceof Promise ? await result : result
          outcomes.push(() => resolve(value))
        } catch (error) {
          this.noticeFailure(error)
          outcomes.push(() => reject(error))
        }
        if (this.#failure !== undefined) throw this.#failure
        running = undefined
      }
      this.db.texts.write(this.db)
      this.db.do('commit')
      await this.#syncWritten(group.units)
      this.#hooks.committed?.()
      this.db.texts.atOnce = false
      for (const outcome of outcomes) outcome()
      this.#hooks.acknowledged?.()
    } catch (error) {
      const { isCutOff } = this.db.texts
      this.#rollBack()
      if (isCutOff && isDamage(error)) {
        this.db.texts.atOnce = true
        this.#queue.unshift(...units)
        return
      }
      this.db.texts.atOnce = false
      if (running && isDamage(error)) {
        running.reject(this.#hooks.damaged?.(error) ?? error)
        this.#queue.unshift(...units.filter((unit) => unit !== running))
        return
      }
      this.#refusing = this.#lost ?? storeFailed(error)
      for (const { reject } of units) reject(this.#refusing)
    }
  }

  async #syncWritten(units: number): Promise<void> {
    // A group that only read has nothing to sync.
    if (!this.#countChanges()) return
    const began = performance.now()
    this.#syncing = this.#hooks.sync().catch((error: unknown) => {
      throw (this.#lost = storeFailed(error))
    })
    await this.#syncing
    this.#syncing = undefined
    this.#refusing = undefined
    this.#hooks.written?.(units, performance.now() - began)
  }

  /** True if there were changes since the last call. */
  #countChanges(): boolean {
    const before = this.#changes
    this.#changes = this.db.get('select total_changes() as n')?.n as number
    return this.#changes !== before
  }

  #rollBack(): void {
    this.db.texts.forget()
    try {
      this.db.do('rollback')
    } catch {
      // SQLite has rolled back by itself already.
    }
    // Undone changes need no sync in a later group.
    try {
      this.#countChanges()
    } catch {
      // A damaged database may refuse even this; one sync too many does no harm.
    }
  }

  async #runTransaction<T>(
    work: Transacted<T>,
    ended: (tx: OpenTransaction) => void,
    group: Group,
  ): Promise<{ result: T; tx: OpenTransaction }> {
    const tx = new OpenTransaction(new Date(this.#clock.now()))
    this.db.begin('work')
    try {
      const result = await this.#inTime(work(tx, group))
      ended(tx)
      this.db.release('work')
      return { result, tx }
    } catch (error) {
      ended(tx)
      if (this.#failure === undefined) {
        this.db.undo('work')
        // A claim that was undone has left its row in the queue.
        group.ahead = undefined
      }
      throw error
    }
  }

  /** Every other writer waits for a transaction, so one that waits for something else must end. */
  async #inTime<T>(work: Promise<T>): Promise<T> {
    const outcome = await within<T | typeof LATE>(work, this.#transactionLimitMs, LATE)
    if (outcome !== LATE) return outcome
    throw new Error(
      `A transaction took longer than ${this.#transactionLimitMs} ms and was rolled back. It may only wait for the store, and only write through collection.in(tx).`,
    )
  }
}

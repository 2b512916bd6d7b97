import { type Atomically, type Collection, type CollectionRef, type Transaction, Unavailable } from '@gateway/sdk'
import type { ClientSession, Db, MongoClient } from 'mongodb'
import type { Clock } from '../../clock.ts'
import { isText } from '../documents.ts'
import { OpenTransaction } from '../open-transaction.ts'
import type { PrepareReport, Store, StoreHealth } from '../port.ts'
import { MongoCollectionAdapter } from './collection.ts'
import { storeError } from './errors.ts'
import type { Flavour } from './flavour.ts'
import { prepareCollections } from './indexes.ts'
import { at, type Layout, type Stored } from './layout.ts'
import { type Scope, TransactionScope } from './scope.ts'
import { ServerTime } from './server-time.ts'

export interface Parts {
  readonly client: MongoClient
  readonly db: Db
  readonly flavour: Flavour
  readonly clock: Clock
  readonly log: { warn(message: string, fields?: object): void }
  /** Leave times to the server’s clock; a test that sets the clock does not. */
  readonly serverTimes: boolean
}

const SWEEP_EVERY_MS = 60_000

interface Joined {
  readonly tenant: string
  readonly scope: Scope
}

/** The store for several gateways: one MongoDB database, any number of processes. */
export class MongoStore implements Store {
  readonly kind = 'mongodb'
  readonly shared = true
  readonly #parts: Parts
  readonly #time: ServerTime
  readonly #alone: Scope
  readonly #transactions = new WeakMap<Transaction, Joined>()
  readonly #collections = new Map<string, Collection<object>>()
  #layouts: ReadonlyMap<string, Layout> = new Map()
  #running = 0
  #idle: (() => void) | undefined
  #sweeper: NodeJS.Timeout | undefined
  #closing: Promise<void> | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    this.#time = new ServerTime(parts.db, parts.clock)
    this.#alone = {
      session: undefined,
      serverTimes: parts.serverTimes && parts.flavour.serverTimes,
      now: () => this.#now(),
      run: (work) => this.#counted(work),
      whole: (work) => this.#transaction((scope) => work(scope)),
    }
  }

  get flavour(): Flavour {
    return this.#parts.flavour
  }

  async prepare(refs: readonly CollectionRef[]): Promise<PrepareReport> {
    if (this.#usesServerClock()) await this.#time.start()
    const { layouts, report } = await prepareCollections(this.#parts.db, refs, this.#parts.flavour)
    this.#layouts = layouts
    this.#collections.clear()
    await this.sweepExpired()
    this.#sweeper ??= setInterval(() => this.#sweepQuietly(), SWEEP_EVERY_MS).unref()
    return report
  }

  collection<Doc extends object>(ref: CollectionRef, tenantId: string): Collection<Doc> {
    const name = `${ref.id}\n${tenantId}`
    const known = this.#collections.get(name)
    if (known) return known as unknown as Collection<Doc>
    const layout = this.#layouts.get(ref.id)
    if (!layout) throw new Error(`Collection ${ref.id} was not prepared.`)
    if (!isText(tenantId)) throw new Error(`${JSON.stringify(tenantId)} cannot be the id of a tenant.`)
    const docs = this.#parts.db.collection<Stored>(ref.id)
    const collection = new MongoCollectionAdapter(layout, tenantId, docs, this.#alone, (tx, tenant) => this.#scopeIn(tx, tenant))
    this.#collections.set(name, collection)
    return collection as unknown as Collection<Doc>
  }

  atomically(tenantId: string): Atomically {
    return async (work) => {
      let committed: OpenTransaction | undefined
      const result = await this.#counted(() =>
        this.#transaction(async (scope) => {
          const tx = new OpenTransaction(new Date(scope.now()))
          this.#transactions.set(tx, { tenant: tenantId, scope })
          // The work may run again: what counts is the run that was committed, the last.
          committed = tx
          return work(tx)
        }),
      )
      committed?.committed()
      return result
    }
  }

  async tenants(): Promise<readonly string[]> {
    this.#check()
    const found = await Promise.all([...this.#layouts.keys()].map((id) => this.#parts.db.collection<Stored>(id).distinct('t')))
    return [...new Set(found.flat())].sort()
  }

  async now(): Promise<Date> {
    return new Date(this.#now())
  }

  async health(): Promise<StoreHealth> {
    const { product, version, transactions } = this.#parts.flavour
    const details = { kind: this.kind, product, version, transactions }
    try {
      this.#check()
      await this.#parts.db.command({ ping: 1 })
      return { connected: true, ...details }
    } catch (error) {
      return { connected: false, ...details, error: error instanceof Error ? error.message : String(error) }
    }
  }

  /** Remove expired documents now rather than within the minute; the number removed. */
  async sweepExpired(): Promise<number> {
    let removed = 0
    for (const { id, indexes } of this.#layouts.values()) {
      for (const { expireAfterSeconds, keys } of indexes) {
        if (expireAfterSeconds === undefined) continue
        const until = new Date(this.#now() - expireAfterSeconds * 1000).toISOString()
        const path = at(keys[0]?.field as string)
        const { deletedCount } = await this.#parts.db.collection(id).deleteMany({ [path]: { $gte: '', $lte: until } })
        removed += deletedCount
      }
    }
    return removed
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    clearInterval(this.#sweeper)
    this.#time.stop()
    if (this.#running > 0) await new Promise<void>((resolve) => (this.#idle = resolve))
    await this.#parts.client.close()
  }

  #usesServerClock(): boolean {
    return this.#parts.serverTimes
  }

  #now(): number {
    return this.#usesServerClock() ? this.#time.now() : this.#parts.clock.now()
  }

  /** Again from its beginning when another transaction was in the way; without transactions in the server, once and as it comes. */
  async #transaction<T>(work: (scope: TransactionScope) => Promise<T>): Promise<T> {
    const once = async (session: ClientSession | undefined): Promise<T> => {
      const scope = new TransactionScope(session, this.#now())
      try {
        return await work(scope)
      } finally {
        scope.end()
      }
    }
    if (!this.#parts.flavour.transactions) return once(undefined)
    return this.#parts.client.withSession((session) => session.withTransaction(() => once(session)))
  }

  #scopeIn(tx: Transaction, tenant: string): Scope {
    const joined = this.#transactions.get(tx)
    if (!joined) throw new Error('This is no transaction of this store.')
    if (joined.tenant !== tenant) throw new Error('A transaction reaches only the collections of its own tenant.')
    return joined.scope
  }

  /** Counts what runs, so that closing waits for it. */
  async #counted<T>(work: () => Promise<T>): Promise<T> {
    this.#check()
    this.#running++
    try {
      return await work()
    } catch (error) {
      throw storeError(error)
    } finally {
      this.#running--
      if (this.#running === 0) this.#idle?.()
    }
  }

  #sweepQuietly(): void {
    this.sweepExpired().catch((error: unknown) => this.#parts.log.warn('expired documents could not be removed', { error: String(error) }))
  }

  #check(): void {
    if (this.#closing) throw Unavailable({ message: 'The store is closed.' })
  }
}

import type { Clock } from '@gateway/kernel'
import { type Atomically, type Collection, type CollectionRef, isToolError, type Transaction, Unavailable } from '@gateway/sdk'
import { withTimeLimit } from '@gateway/sdk/bounds'
import { acrossIndex, isText, OpenTransaction, type PrepareReport, type Store, type StoreHealth } from '@gateway/storage'
import { type ClientSession, type Db, type MongoClient, MongoServerSelectionError } from 'mongodb'
import { MongoCollectionAdapter } from './collection.ts'
import { contended, storeError } from './errors.ts'
import { filterToQuery } from './filter.ts'
import type { Flavour } from './flavour.ts'
import { prepareCollections } from './indexes.ts'
import { at, type Layout, type Stored } from './layout.ts'
import { type Scope, TransactionScope } from './scope.ts'
import { nowText, ServerTime } from './server-time.ts'

export interface Parts {
  readonly client: MongoClient
  readonly db: Db
  readonly flavour: Flavour
  readonly clock: Clock
  readonly log: { warn(message: string, fields?: object): void }
  /** Leave times to the server’s clock; a test that sets the clock does not. */
  readonly serverTimes: boolean
  readonly keepExpired: boolean
  /** Runs what takes as long as there is data: over a connection that waits for its answers. */
  patiently<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** How long a call waits for its answer. */
  readonly answerLimitMs: number
}

const SWEEP_EVERY_MS = 60_000
const GRACE_MS = 100
/** Probes must answer while a server that is gone is still being waited for. */
const HEALTH_LIMIT_MS = 1_000

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
  #isSilent = false
  #idle: (() => void) | undefined
  #sweeper: NodeJS.Timeout | undefined
  #closing: Promise<void> | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    this.#time = new ServerTime(parts.db, parts.clock)
    this.#alone = {
      session: undefined,
      serverTimes: parts.serverTimes && parts.flavour.serverTimes,
      answerLimitMs: parts.answerLimitMs,
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
    const { layouts, report } = await this.#parts.patiently((db) => prepareCollections(db, refs, this.#parts.flavour))
    this.#layouts = layouts
    this.#collections.clear()
    if (this.#parts.keepExpired) return report
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

  async tenantsWith({ id }: CollectionRef, where: object): Promise<readonly string[]> {
    const layout = this.#layouts.get(id)
    if (!layout) throw new Error(`Collection ${id} was not prepared.`)
    acrossIndex(layout, where)
    return this.#counted(() => this.#parts.db.collection<Stored>(id).distinct('t', filterToQuery(where, this.#now())))
  }

  async documentsOf(tenantId: string): Promise<Readonly<Record<string, number>>> {
    const counts: Record<string, number> = {}
    for (const name of await this.#written()) {
      const count = await this.#parts.patiently((db) => db.collection<Stored>(name).countDocuments({ t: tenantId }))
      if (count > 0) counts[name] = count
    }
    return counts
  }

  async removeSome(tenantId: string, limit: number): Promise<number> {
    for (const name of await this.#written()) {
      const docs = this.#parts.db.collection<Stored>(name)
      const found = await this.#counted(() => docs.find({ t: tenantId }, { projection: { _id: 1 }, limit }).toArray())
      if (found.length === 0) continue
      const { deletedCount } = await this.#counted(() => docs.deleteMany({ t: tenantId, _id: { $in: found.map(({ _id }) => _id) } }))
      return deletedCount
    }
    return 0
  }

  /** The server’s files are the server’s. */
  async scrub(): Promise<'done' | 'later'> {
    return 'done'
  }

  /** Names of all collections in the database: what a family that is switched off has kept is its tenant’s as well. */
  async #written(): Promise<readonly string[]> {
    const found = await this.#counted(() => this.#parts.db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray())
    return found.map(({ name }) => name).filter((name) => !name.startsWith('system.'))
  }

  async now(): Promise<Date> {
    return new Date(this.#now())
  }

  async health(): Promise<StoreHealth> {
    const { product, version, transactions } = this.#parts.flavour
    const details = { kind: this.kind, product, version, transactions }
    try {
      this.#check()
      await withTimeLimit(this.#parts.db.command({ ping: 1 }), HEALTH_LIMIT_MS, 'asking MongoDB')
      return { connected: true, ...details }
    } catch {
      // Not what the driver says: that names the address, and the probes are open to everyone.
      return { connected: false, ...details, error: 'does not answer' }
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
        const guard = this.#alone.serverTimes ? { $expr: { $lte: [`$${path}`, nowText(-expireAfterSeconds * 1000)] } } : {}
        const { deletedCount } = await this.#parts.db.collection(id).deleteMany({ [path]: { $gte: '', $lte: until }, ...guard })
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
    const until = performance.now() + this.#parts.answerLimitMs
    let failure: unknown
    const once = async (session: ClientSession | undefined): Promise<T> => {
      // The driver would begin again for two minutes, long after its caller was answered and has perhaps asked again.
      if (performance.now() >= until) throw contended(failure)
      const scope = new TransactionScope(session, this.#now(), this.#parts.answerLimitMs)
      try {
        return await work(scope)
      } catch (error) {
        failure = error
        // Nor is a server that is not there waited for again; one wait is what a caller is promised.
        throw error instanceof MongoServerSelectionError ? storeError(error) : error
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
      // The driver waits without end on a connection that is lost between its being taken and its being written to.
      // A little later than each answer within it is given up, so that what it was is known.
      const result = await withTimeLimit(work(), this.#parts.answerLimitMs + GRACE_MS, 'an answer of MongoDB')
      this.#answered()
      return result
    } catch (error) {
      const failure = storeError(error)
      if (failure !== error || (isToolError(error) && error.cause instanceof MongoServerSelectionError)) this.#silent(failure)
      throw failure
    } finally {
      this.#running--
      if (this.#running === 0) this.#idle?.()
    }
  }

  /** Said once when it begins, however many calls meet it, and once when it is over. */
  #silent(failure: unknown): void {
    if (this.#isSilent) return
    this.#isSilent = true
    this.#parts.log.warn('MongoDB does not answer', { error: String((failure as Error).cause) })
  }

  #answered(): void {
    if (!this.#isSilent) return
    this.#isSilent = false
    this.#parts.log.warn('MongoDB answers again')
  }

  #sweepQuietly(): void {
    this.sweepExpired().catch((error: unknown) => this.#parts.log.warn('expired documents could not be removed', { error: String(error) }))
  }

  #check(): void {
    if (this.#closing) throw Unavailable({ message: 'The store is closed.' })
  }
}

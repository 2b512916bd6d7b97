import type { Clock } from '@gateway/kernel'
import type { Atomically, Collection, CollectionRef } from '@gateway/sdk'
import { BoundedMap, within, withTimeLimit } from '@gateway/sdk/bounds'
import { acrossIndex, type FillableStore, isText, MAX_COLLECTIONS, type PrepareReport, type Row, type StoreHealth } from '@gateway/storage'
import type { Db, MongoClient } from 'mongodb'
import { closeClient } from './close-client.ts'
import { MongoCollectionAdapter } from './collection.ts'
import { sweepExpired } from './expiry.ts'
import { fill } from './fill.ts'
import { filterToQuery } from './filter.ts'
import { prepareCollections } from './indexes.ts'
import type { Layout, Stored } from './layout.ts'
import { Repeated } from './repeated.ts'
import { Running } from './running.ts'
import type { Scope } from './scope.ts'
import { ServerTime } from './server-time.ts'
import { TextSplitter } from './split-again.ts'
import { collectionNames, countsOf, removeSome } from './tenant-removal.ts'
import { Transactions } from './transactions.ts'

export interface Parts {
  readonly client: MongoClient
  readonly db: Db
  /** Version of the server. */
  readonly version: string
  readonly clock: Clock
  readonly log: { warn(message: string, fields?: object): void }
  /** Leaves times to the server's clock; a test that sets the clock does not. */
  readonly serverTimes: boolean
  readonly keepExpired: boolean
  /** Runs work whose duration grows with the data, over a connection with a long timeout. */
  patiently<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Longest time that a call waits for its answer. */
  readonly answerLimitMs: number
}

const SWEEP_EVERY_MS = 60_000
/** A start waits this long for texts to be split, so that searches find all of them; the rest is split beside the calls. */
const SPLIT_AT_START_MS = 30_000
/** Probes must answer while calls still wait for a server that is gone. */
const HEALTH_LIMIT_MS = 1_000
const CLOSE_LIMIT_MS = 5_000

/** The store for several gateways: one MongoDB database, any number of processes. */
export class MongoStore implements FillableStore {
  readonly kind = 'mongodb'
  readonly shared = true
  readonly #parts: Parts
  readonly #time: ServerTime
  readonly #running: Running
  readonly #transactions: Transactions
  readonly #alone: Scope
  readonly #collections = new BoundedMap<string, Collection<object>>(MAX_COLLECTIONS)
  #layouts: ReadonlyMap<string, Layout> = new Map()
  #splitter: TextSplitter | undefined
  readonly #splitting: Repeated
  readonly #sweeping: Repeated
  #closing: Promise<void> | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    this.#time = new ServerTime(parts.db, parts.clock)
    this.#running = new Running(parts.answerLimitMs, parts.log)
    this.#transactions = new Transactions(parts, this.#running, () => this.#now())
    this.#alone = {
      session: undefined,
      serverTimes: parts.serverTimes,
      answerLimitMs: parts.answerLimitMs,
      now: () => this.#now(),
      run: (work) => this.#running.run(work),
      whole: (work) => this.#transactions.whole(work),
    }
    const { log } = parts
    this.#splitting = new Repeated(
      async (isStopped) => this.#splitter?.run(isStopped),
      (error) => log.warn('the words of texts could not be split', { error: String(error) }),
    )
    this.#sweeping = new Repeated(
      (isStopped) => this.#sweep(isStopped),
      (error) => log.warn('expired documents could not be removed', { error: String(error) }),
    )
  }

  async prepare(refs: readonly CollectionRef[]): Promise<PrepareReport> {
    if (this.#usesServerClock()) await this.#time.start()
    const { layouts, report } = await this.#parts.patiently((db) => prepareCollections(db, refs))
    this.#layouts = layouts
    this.#collections.clear()
    // A copy is searched by nobody: the gateway that starts on it later does the rest.
    if (this.#parts.keepExpired) return report
    this.#splitter = new TextSplitter(this.#parts.db, layouts.values(), () => this.#now())
    await within(this.splitTexts(), SPLIT_AT_START_MS, undefined)
    // A backlog may take long, and the start does not need its end.
    void this.#sweeping.run()
    for (const repeated of [this.#splitting, this.#sweeping]) repeated.every(SWEEP_EVERY_MS)
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
    const collection = new MongoCollectionAdapter(layout, tenantId, docs, this.#alone, (tx, tenant) =>
      this.#transactions.scopeIn(tx, tenant),
    )
    this.#collections.set(name, collection)
    return collection as unknown as Collection<Doc>
  }

  async fill(ref: CollectionRef, rows: readonly Row[]): Promise<readonly Row[]> {
    const layout = this.#layouts.get(ref.id)
    if (!layout) throw new Error(`Collection ${ref.id} was not prepared.`)
    return this.#running.run(() => fill(layout, this.#parts.db.collection<Stored>(ref.id), rows))
  }

  atomically(tenantId: string): Atomically {
    return this.#transactions.of(tenantId)
  }

  async tenants(): Promise<readonly string[]> {
    this.#running.check()
    const found = await Promise.all([...this.#layouts.keys()].map((id) => this.#parts.db.collection<Stored>(id).distinct('t')))
    return [...new Set(found.flat())].sort()
  }

  async tenantsWith({ id }: CollectionRef, where: object): Promise<readonly string[]> {
    const layout = this.#layouts.get(id)
    if (!layout) throw new Error(`Collection ${id} was not prepared.`)
    acrossIndex(layout, where)
    return this.#running.run(() => this.#parts.db.collection<Stored>(id).distinct('t', filterToQuery(where, this.#now())))
  }

  async documentsOf(tenantId: string): Promise<Readonly<Record<string, number>>> {
    const names = await collectionNames(this.#parts.db, this.#running)
    return countsOf(names, tenantId, this.#parts.patiently)
  }

  removeSome(tenantId: string, limit: number): Promise<number> {
    return removeSome(this.#parts.db, this.#running, tenantId, limit)
  }

  /** The files belong to the server. */
  async scrub(): Promise<'done' | 'later'> {
    return 'done'
  }

  async scrubAtNextStart(): Promise<void> {}

  async now(): Promise<Date> {
    return new Date(this.#now())
  }

  async health(): Promise<StoreHealth> {
    const details = { kind: this.kind, version: this.#parts.version }
    try {
      this.#running.check()
      await withTimeLimit(this.#parts.db.command({ ping: 1 }), HEALTH_LIMIT_MS, 'asking MongoDB')
      return { connected: true, ...details }
    } catch {
      // Omits the driver's message, which names the address, because the probes are public.
      return { connected: false, ...details, error: 'does not answer' }
    }
  }

  /** Removes expired documents now rather than within the minute, and returns their number. */
  sweepExpired(): Promise<number> {
    return this.#sweep(() => false)
  }

  /** Splits texts again now rather than within the minute. */
  splitTexts(): Promise<void> {
    return this.#splitting.run()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    for (const repeated of [this.#splitting, this.#sweeping]) repeated.stop()
    this.#time.stop()
    await this.#running.close()
    await closeClient(this.#parts.client, CLOSE_LIMIT_MS)
  }

  #sweep(isStopped: () => boolean): Promise<number> {
    return sweepExpired(this.#parts.db, this.#layouts.values(), () => this.#now(), this.#alone.serverTimes, isStopped)
  }

  #usesServerClock(): boolean {
    return this.#parts.serverTimes
  }

  #now(): number {
    return this.#usesServerClock() ? this.#time.now() : this.#parts.clock.now()
  }
}

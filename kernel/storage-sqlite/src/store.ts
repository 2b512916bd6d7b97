import { statSync } from 'node:fs'
import type { Clock } from '@gateway/kernel'
import type { Metrics } from '@gateway/metrics'
import { type Atomically, type Collection, type CollectionRef, type Transaction, Unavailable } from '@gateway/sdk'
import { acrossIndex, acrossName, isText, type PrepareReport, type Store, type StoreHealth } from '@gateway/storage'
import { type Access, type Grows, TransactionAccess } from './access.ts'
import { isFew } from './aggregate.ts'
import { backup } from './backup.ts'
import { Checkpoints } from './checkpoints.ts'
import { SqliteCollection } from './collection.ts'
import type { Connection } from './connection.ts'
import { Damage } from './damage.ts'
import type { Driver, Row, SqlValue } from './driver.ts'
import { isDamage } from './errors.ts'
import { sweepExpired } from './expiry.ts'
import { filterToSql } from './filter-to-sql.ts'
import { HeavyWork } from './heavy.ts'
import type { Lock } from './lock.ts'
import { LogSync } from './log-sync.ts'
import { mergeTexts, tidyTexts } from './merge-texts.ts'
import { storeMeter } from './metrics.ts'
import { Reader } from './reader.ts'
import { parse } from './row-writer.ts'
import { prepareTables } from './schema.ts'
import type { Statement } from './select.ts'
import type { Table } from './table.ts'
import { countsOf, removeSome } from './tenant-removal.ts'
import { isSoonVacuumed, oweVacuum } from './vacuum.ts'
import { Writer } from './writer.ts'

interface Parts {
  readonly clock: Clock
  readonly log: { warn(message: string, fields?: object): void }
  readonly metrics?: Metrics
  readonly driver: Driver
  readonly path: string
  readonly writer: Connection
  readonly reader: Connection
  readonly lock: Lock
  readonly transactionLimitMs?: number
  readonly smallCollection?: number
  readonly checkpointFrames?: number
  readonly keepExpired?: boolean
}

const TRANSACTION_LIMIT_MS = 5_000
/** Asking a thread, and starting it, costs more than reading so few. */
const SMALL_COLLECTION = 2_000
const SWEEP_EVERY_MS = 60_000

/** The embedded store: one SQLite database, one process, one writer. */
export class SqliteStore implements Store {
  readonly kind = 'sqlite'
  readonly shared = false
  readonly #parts: Parts
  readonly #writer: Writer
  readonly #reader: Reader
  readonly #heavy: HeavyWork
  readonly #checkpoints: Checkpoints
  readonly #log: LogSync
  readonly #damage = new Damage()
  readonly #alone: Access
  readonly #transactions = new WeakMap<Transaction, TransactionAccess>()
  readonly #collections = new Map<string, Collection<object>>()
  #tables: ReadonlyMap<string, Table> = new Map()
  #sweeper: NodeJS.Timeout | undefined
  #tidying = false
  #closing: Promise<void> | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    this.#reader = new Reader(parts.reader)
    this.#heavy = new HeavyWork(parts.path)
    this.#log = new LogSync(parts.path)
    const meter = parts.metrics && storeMeter(parts.metrics, () => ({ ...this.#sizes(), writable: this.#isWritable() }))
    this.#writer = new Writer(parts.writer, parts.clock, parts.transactionLimitMs ?? TRANSACTION_LIMIT_MS, {
      sync: () => this.#log.sync(),
      damaged: (error) => this.#damage.notice(error),
      // Who has written reads what was written.
      committed: () => this.#reader.renew(),
      written: (writes, syncMs) => meter?.committed(writes, syncMs),
      acknowledged: () => this.#checkpoints.committed(),
    })
    const failed = (error: unknown): void => parts.log.warn('a checkpoint failed', { error: String(error) })
    this.#checkpoints = new Checkpoints(parts.writer, this.#writer, this.#heavy, failed, parts.checkpointFrames)
    this.#alone = {
      document: async (table, tenant, id) => {
        const row = this.#noticing(() => this.#reading().row(table, tenant, id))
        if (this.#writer.syncing) await this.#writer.syncing
        return row && parse(row)
      },
      read: async (work) => {
        const found = this.#noticing(() => work(this.#reading().db, parts.clock.now()))
        if (this.#writer.syncing) await this.#writer.syncing
        return found
      },
      write: (work) => this.#writer.write(work),
      hasFew: async (table, tenant) => this.#noticing(() => isFew(this.#reading().db, table, tenant, parts.smallCollection)),
      heavy: async (table, tenant, compile, grows = 'with the tenant') => {
        const found = await this.#heavyRows(table, tenant, compile(parts.clock.now()), grows).catch((error: unknown) => {
          throw this.#damage.notice(error)
        })
        await this.#writer.syncing
        return found
      },
    }
  }

  async prepare(refs: readonly CollectionRef[]): Promise<PrepareReport> {
    const { tables, report } = await this.#writer.write((db) => db.whole(() => prepareTables(db, refs)))
    this.#tables = tables
    this.#collections.clear()
    if (this.#parts.keepExpired) return report
    await this.#sweepQuietly()
    this.#sweeper ??= setInterval(() => void this.#sweepQuietly().then(() => this.#tidyQuietly()), SWEEP_EVERY_MS).unref()
    return report
  }

  collection<Doc extends object>(ref: CollectionRef, tenantId: string): Collection<Doc> {
    const name = `${ref.id}\n${tenantId}`
    const known = this.#collections.get(name)
    if (known) return known as unknown as Collection<Doc>
    const table = this.#tables.get(ref.id)
    if (!table) throw new Error(`Collection ${ref.id} was not prepared.`)
    if (!isText(tenantId)) throw new Error(`${JSON.stringify(tenantId)} cannot be the id of a tenant.`)
    const collection = new SqliteCollection(table, tenantId, this.#alone, (tx, tenant) => this.#accessOf(tx, tenant))
    this.#collections.set(name, collection)
    return collection as unknown as Collection<Doc>
  }

  atomically(tenantId: string): Atomically {
    return (work) =>
      this.#writer.transaction(
        (tx) => {
          this.#transactions.set(tx, new TransactionAccess(this.#writer, tenantId, tx))
          return work(tx)
        },
        (tx) => this.#transactions.get(tx)?.end(),
      )
  }

  async tenants(): Promise<readonly string[]> {
    const db = this.#reading().db
    const tenants = new Set<string>()
    for (const { id, name } of this.#tables.values()) {
      const sql = `with recursive found(tenant) as (
        select min(tenant) from ${name}
        union all
        select (select min(tenant) from ${name} where tenant > found.tenant) from found where found.tenant is not null
      ) select tenant from found where tenant is not null`
      for (const row of this.#unlessDamaged(id, () => db.all(sql))) tenants.add(row.tenant as string)
    }
    await this.#writer.syncing
    return [...tenants].sort()
  }

  async tenantsWith({ id }: CollectionRef, where: object): Promise<readonly string[]> {
    const table = this.#tables.get(id)
    if (!table) throw new Error(`Collection ${id} was not prepared.`)
    const params: SqlValue[] = []
    const filter = filterToSql(table, where, this.#parts.clock.now(), params)
    const sql = `select distinct tenant from ${table.name} indexed by "${acrossName(acrossIndex(table, where))}" where true${filter}`
    const rows = this.#noticing(() => this.#reading().db.all(sql, params))
    await this.#writer.syncing
    return rows.map((row) => row.tenant as string)
  }

  async documentsOf(tenantId: string): Promise<Readonly<Record<string, number>>> {
    return await countsOf(this.#reading().db, this.#heavy, tenantId).catch((error: unknown) => {
      throw this.#damage.notice(error)
    })
  }

  removeSome(tenantId: string, limit: number): Promise<number> {
    return removeSome(this.#writer, tenantId, limit)
  }

  async scrub(): Promise<'done' | 'later'> {
    await mergeTexts(this.#writer)
    const isSoon = await this.#writer.write((db) => isSoonVacuumed(db))
    if (isSoon && (await this.#writer.between(() => this.#heavy.vacuum()))) return 'done'
    oweVacuum(this.#parts.path)
    return 'later'
  }

  async now(): Promise<Date> {
    return new Date(this.#parts.clock.now())
  }

  async health(): Promise<StoreHealth> {
    const { driver } = this.#parts
    // Not the path: the probes are open to everyone.
    const details = { kind: this.kind, driver: driver.name, sqliteVersion: driver.sqliteVersion }
    try {
      if (this.#writer.lost) throw this.#writer.lost
      this.#reading().db.get('select 1')
      const { fileBytes, logBytes } = this.#sizes()
      return {
        connected: true,
        ...details,
        fileBytes,
        walBytes: logBytes,
        journalMode: this.#parts.writer.get('pragma journal_mode')?.journal_mode,
        acknowledges: 'after the sync to disk',
        ...(this.#writer.refusing && { writesFail: this.#writer.refusing.message }),
        ...(this.#damage.found !== undefined && { damaged: this.#damage.found }),
      }
    } catch (error) {
      return { connected: false, ...details, error: error instanceof Error ? error.message : String(error) }
    }
  }

  #sizes(): { fileBytes: number; logBytes: number } {
    const { path } = this.#parts
    const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
    return { fileBytes: sizeOf(path), logBytes: sizeOf(`${path}-wal`) }
  }

  #isWritable(): boolean {
    return this.#writer.lost === undefined && this.#writer.refusing === undefined
  }

  /** Write a copy of the whole store, as of now, to a new file, while others read and write. To restore, put it in place of `gateway.db`. */
  backup(path: string): Promise<void> {
    return backup(this.#heavy, path)
  }

  /** Remove expired documents now rather than within the minute; the number removed. */
  sweepExpired(): Promise<number> {
    return sweepExpired(this.#writer, this.#tables.values())
  }

  /** Merge the parts of text indexes that were written to, now rather than within the minute. */
  tidyTexts(): Promise<void> {
    return tidyTexts(this.#writer, this.#tables.values())
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    clearInterval(this.#sweeper)
    this.#checkpoints.stop()
    await this.#writer.close()
    await this.#heavy.close()
    this.#reader.close()
    this.#log.close()
    this.#bringInLog()
    this.#parts.writer.close()
    this.#parts.lock.release()
  }

  /** So that `gateway.db` alone is the whole store: SQLite leaves the log where a statement is still held. */
  #bringInLog(): void {
    try {
      this.#parts.writer.get('pragma wal_checkpoint(truncate)')
    } catch (error) {
      this.#parts.log.warn('the log could not be brought into the database; the next start does it', { error: String(error) })
    }
  }

  #noticing<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      throw this.#damage.notice(error)
    }
  }

  /** What runs by itself goes on for the tenants of the sound collections. */
  #unlessDamaged(collection: string, read: () => readonly Row[]): readonly Row[] {
    try {
      return read()
    } catch (error) {
      if (!isDamage(error)) throw error
      this.#damage.notice(error)
      this.#parts.log.warn('a damaged collection does not tell its tenants; `gateway doctor` says what to do', { collection })
      return []
    }
  }

  #reading(): Reader {
    if (this.#closing) throw Unavailable({ message: 'The store is closed.' })
    return this.#reader
  }

  async #heavyRows(table: Table, tenant: string, { sql, params }: Statement, grows: Grows): Promise<readonly Row[]> {
    const db = this.#reading().db
    return this.#isSmall(db, table, tenant, grows) ? db.all(sql, params) : this.#heavy.rows({ sql, params }, tenant)
  }

  /** The greatest key bounds the number of documents, and is found at once; those of a tenant are counted as far as they are few. */
  #isSmall(db: Connection, table: Table, tenant: string, grows: Grows): boolean {
    if (grows === 'little') return true
    const small = this.#parts.smallCollection ?? SMALL_COLLECTION
    const greatest = (db.get(`select max(pk) as pk from ${table.name}`)?.pk ?? 0) as number
    if (greatest <= small || grows === 'with the collection') return greatest <= small
    return isFew(db, table, tenant, small)
  }

  #accessOf(tx: Transaction, tenant: string): Access {
    const access = this.#transactions.get(tx)
    if (!access) throw new Error('This is no transaction of this store.')
    if (access.tenant !== tenant) throw new Error('A transaction reaches only the collections of its own tenant.')
    return access
  }

  async #sweepQuietly(): Promise<void> {
    await this.sweepExpired().catch((error: unknown) =>
      this.#parts.log.warn('expired documents could not be removed', { error: String(error) }),
    )
  }

  async #tidyQuietly(): Promise<void> {
    // A large index takes longer than until the next time.
    if (this.#tidying) return
    this.#tidying = true
    await this.tidyTexts().catch((error: unknown) => {
      if (!this.#closing) this.#parts.log.warn('text indexes could not be tidied; searches take longer', { error: String(error) })
    })
    this.#tidying = false
  }
}

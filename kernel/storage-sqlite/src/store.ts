import { statSync } from 'node:fs'
import type { Clock } from '@gateway/kernel'
import type { Metrics } from '@gateway/metrics'
import type { Atomically, Collection, CollectionRef, Transaction } from '@gateway/sdk'
import { BoundedMap } from '@gateway/sdk/bounds'
import {
  type FillableStore,
  isText,
  KERNEL_TENANT,
  MAX_COLLECTIONS,
  type PrepareReport,
  type Row as StoredRow,
  type StoreHealth,
} from '@gateway/storage'
import { type Access, TransactionAccess } from './access.ts'
import { backup } from './backup.ts'
import { Checkpoints } from './checkpoints.ts'
import { SqliteCollection } from './collection.ts'
import { CommittedAccess } from './committed-access.ts'
import type { Connection } from './connection.ts'
import { Damage } from './damage.ts'
import type { Driver } from './driver.ts'
import { isDamage } from './errors.ts'
import { sweepExpired } from './expiry.ts'
import { fill } from './fill.ts'
import { HeavyWork } from './heavy.ts'
import type { Lock } from './lock.ts'
import { LogExtent } from './log-extent.ts'
import { LogSync } from './log-sync.ts'
import { mergeTexts, tidyTexts } from './merge-texts.ts'
import { storeMeter } from './metrics.ts'
import { Reader } from './reader.ts'
import { prepareTables } from './schema.ts'
import type { Table } from './table.ts'
import { countsOf, removeSome } from './tenant-removal.ts'
import { tenantsIn, tenantsWith } from './tenants.ts'
import { canVacuumNow, deferVacuumToStart } from './vacuum.ts'
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
  /** Writes that the end of the log lost before this start, in words. */
  readonly loss?: string | undefined
}

const TRANSACTION_LIMIT_MS = 5_000
/** Starting and asking a thread costs more than reading this few. */
const SMALL_COLLECTION = 2_000
const SWEEP_EVERY_MS = 60_000

/** The embedded store: one SQLite database, one process, one writer. */
export class SqliteStore implements FillableStore {
  readonly kind = 'sqlite'
  readonly shared = false
  readonly #parts: Parts
  readonly #writer: Writer
  readonly #reader: Reader
  readonly #heavy: HeavyWork
  readonly #checkpoints: Checkpoints
  readonly #log: LogSync
  readonly #extent: LogExtent
  readonly #damage = new Damage()
  readonly #committed: CommittedAccess
  readonly #transactions = new WeakMap<Transaction, TransactionAccess>()
  readonly #collections = new BoundedMap<string, Collection<object>>(MAX_COLLECTIONS)
  #tables: ReadonlyMap<string, Table> = new Map()
  #sweeper: NodeJS.Timeout | undefined
  #tidying = false
  #closing: Promise<void> | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    this.#reader = new Reader(parts.reader)
    this.#heavy = new HeavyWork(parts.path)
    this.#log = new LogSync(parts.path)
    this.#extent = new LogExtent(parts.path)
    if (parts.loss !== undefined) this.#damage.report(parts.loss)
    const meter = parts.metrics && storeMeter(parts.metrics, () => ({ ...this.#sizes(), writable: this.#isWritable() }))
    this.#writer = new Writer(parts.writer, parts.clock, parts.transactionLimitMs ?? TRANSACTION_LIMIT_MS, {
      sync: () => this.#log.sync().then(() => void this.#extent.note()),
      damaged: (error) => this.#damage.notice(error),
      // A writer reads its own writes.
      committed: () => this.#reader.renew(),
      written: (writes, syncMs) => meter?.committed(writes, syncMs),
      acknowledged: () => this.#checkpoints.committed(),
    })
    const failed = (error: unknown): void => parts.log.warn('a checkpoint failed', { error: String(error) })
    this.#checkpoints = new Checkpoints(parts.writer, this.#writer, this.#heavy, failed, parts.checkpointFrames)
    this.#committed = new CommittedAccess({
      clock: parts.clock,
      writer: this.#writer,
      reader: this.#reader,
      heavyWork: this.#heavy,
      damage: this.#damage,
      smallCollection: parts.smallCollection ?? SMALL_COLLECTION,
    })
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
    const collection = new SqliteCollection(table, tenantId, this.#committed, (tx, tenant) => this.#accessOf(tx, tenant))
    this.#collections.set(name, collection)
    return collection as unknown as Collection<Doc>
  }

  fill(ref: CollectionRef, rows: readonly StoredRow[]): Promise<readonly StoredRow[]> {
    return fill((tenant) => this.collection(ref, tenant), rows)
  }

  atomically(tenantId: string): Atomically {
    return (work) =>
      this.#writer.transaction(
        (tx, group) => {
          this.#transactions.set(tx, new TransactionAccess(this.#writer, tenantId, tx, group))
          return work(tx)
        },
        (tx) => this.#transactions.get(tx)?.end(),
      )
  }

  async tenants(): Promise<readonly string[]> {
    const { db } = this.#committed
    const tenants = new Set<string>()
    for (const table of this.#tables.values()) {
      for (const tenant of this.#skipDamaged(table.id, () => tenantsIn(db, table))) tenants.add(tenant)
    }
    await this.#writer.syncing
    return [...tenants].sort()
  }

  async tenantsWith({ id }: CollectionRef, where: object): Promise<readonly string[]> {
    const table = this.#tables.get(id)
    if (!table) throw new Error(`Collection ${id} was not prepared.`)
    return this.#committed.read((db, nowMs) => tenantsWith(db, table, where, nowMs))
  }

  async documentsOf(tenantId: string): Promise<Readonly<Record<string, number>>> {
    return await countsOf(this.#committed.db, this.#heavy, tenantId).catch((error: unknown) => {
      throw this.#damage.notice(error)
    })
  }

  removeSome(tenantId: string, limit: number): Promise<number> {
    return removeSome(this.#writer, tenantId, limit)
  }

  async scrub(): Promise<'done' | 'later'> {
    await mergeTexts(this.#writer)
    const isSoon = await this.#writer.write((db) => canVacuumNow(db))
    if (isSoon && (await this.#writer.between(() => this.#heavy.vacuum()))) return 'done'
    deferVacuumToStart(this.#parts.path)
    return 'later'
  }

  async scrubAtNextStart(): Promise<void> {
    deferVacuumToStart(this.#parts.path)
  }

  async now(): Promise<Date> {
    return new Date(this.#parts.clock.now())
  }

  async health(): Promise<StoreHealth> {
    const { driver } = this.#parts
    // Omits the path, because the probes are public.
    const details = { kind: this.kind, driver: driver.name, sqliteVersion: driver.sqliteVersion }
    try {
      if (this.#writer.lost) throw this.#writer.lost
      this.#committed.db.get('select 1')
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

  /**
   * Copies the whole store, as of now, to a new file, while others read and write. To restore, put it in place of `gateway.db`.
   */
  backup(path: string): Promise<void> {
    return backup(this.#heavy, path)
  }

  /** Removes expired documents now rather than within the minute, and returns their number. */
  sweepExpired(): Promise<number> {
    return sweepExpired(this.#writer, this.#tables.values())
  }

  /** Merges the segments of text indexes that were written to, now rather than within the minute. */
  tidyTexts(): Promise<void> {
    return tidyTexts(this.#writer, this.#tables.values())
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#committed.close()
    clearInterval(this.#sweeper)
    this.#checkpoints.stop()
    await this.#writer.close()
    await this.#heavy.close()
    this.#reader.close()
    this.#log.close()
    this.#truncateLog()
    this.#parts.writer.close()
    this.#parts.lock.release()
  }

  /** Makes `gateway.db` alone the whole store: SQLite keeps the log if a statement is still held. */
  #truncateLog(): void {
    try {
      this.#parts.writer.get('pragma wal_checkpoint(truncate)')
      this.#extent.forget()
    } catch (error) {
      this.#parts.log.warn('the log could not be brought into the database; the next start does it', { error: String(error) })
    }
  }

  /** Background work continues for the tenants of the sound collections. */
  #skipDamaged(collection: string, read: () => readonly string[]): readonly string[] {
    try {
      return read()
    } catch (error) {
      if (!isDamage(error)) throw error
      this.#damage.notice(error)
      this.#parts.log.warn('the tenants of a damaged collection are unknown; `gateway doctor` says what to do', { collection })
      return []
    }
  }

  #accessOf(tx: Transaction, tenant: string): Access {
    const access = this.#transactions.get(tx)
    if (!access) throw new Error('The transaction does not belong to this store.')
    if (access.tenant !== tenant && tenant !== KERNEL_TENANT)
      throw new Error('A transaction can only access the collections of its own tenant.')
    return access
  }

  async #sweepQuietly(): Promise<void> {
    await this.sweepExpired().catch((error: unknown) =>
      this.#parts.log.warn('expired documents could not be removed', { error: String(error) }),
    )
  }

  async #tidyQuietly(): Promise<void> {
    // A large index takes longer than one interval.
    if (this.#tidying) return
    this.#tidying = true
    await this.tidyTexts().catch((error: unknown) => {
      if (!this.#closing) this.#parts.log.warn('text indexes could not be tidied; searches take longer', { error: String(error) })
    })
    this.#tidying = false
  }
}

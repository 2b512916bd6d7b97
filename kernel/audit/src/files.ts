import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type AuditEntry, type AuditTrail, auditFailed, writeFailureMessage } from '@gateway/kernel'
import type { Metrics } from '@gateway/metrics'
import type { AuditPage, AuditQuery, AuditVerdict } from '@gateway/sdk'
import type { Store } from '@gateway/storage'
import { type TrailEnds, trailEnds } from './ends.ts'
import { assertTenantId, auditedTenants, listFolder, RESERVE_FILE, syncFolder } from './folder.ts'
import { HandlePool } from './handles.ts'
import { auditMeter } from './metrics.ts'
import { type AuditLog, reportMissingTrails } from './missing-trails.ts'
import { OwedReserve, type ReservedRecords } from './owed-reserve.ts'
import { purgeDays } from './purge.ts'
import { searchTrail } from './search.ts'
import { TenantTrail } from './tenant.ts'
import { TrailHeadWriter } from './trail-head-writer.ts'
import { verdictOf } from './verdict.ts'

const SYNC_INTERVAL_MS = 1000
// libuv's thread pool has four threads; more concurrent writes would only wait there.
const WRITES_AT_ONCE = 8
const OPEN_FILES = 128

/**
 * The trail as files `<dir>/<tenantId>/YYYY-MM-DD.jsonl` (UTC day of the entry; `day-file.ts`), hash-chained per tenant.
 *
 * An append resolves when its bytes are written to the file, so a killed process loses nothing. Files are synced to the disk in
 * the background, each at most once a second, and at close: a power cut can lose the last second of records.
 *
 * With a store, which must be open, the end of each trail is kept there too, and missing trails are reported.
 */
export function openAuditFiles({ dir, metrics, store, log = silent, isEnded = () => false }: AuditFilesOptions): AuditTrail {
  return new AuditFiles({ dir, log, isEnded }, metrics, store && trailEnds(store, dirname(dir)))
}

export interface AuditFilesOptions {
  readonly dir: string
  readonly metrics?: Metrics
  readonly store?: Store
  readonly log?: AuditLog
  /** Tenants for which nothing is recorded any more: their trails are removed. */
  readonly isEnded?: (tenantId: string) => boolean
}

const silent: AuditLog = { error() {} }

class AuditFiles implements AuditTrail {
  readonly #dir: string
  readonly #isEnded: (tenantId: string) => boolean
  readonly #trails = new Map<string, TenantTrail>()
  readonly #handles = new HandlePool(OPEN_FILES)
  /** Trails with pending records that are not being written. */
  readonly #ready = new Set<TenantTrail>()
  readonly #writing = new Map<TenantTrail, Promise<void>>()
  readonly #unsynced = new Set<TenantTrail>()
  readonly #unwritten = new Set<TenantTrail>()
  readonly #settling = new Map<TenantTrail, Promise<void>>()
  #scheduled = false
  #syncTimer: NodeJS.Timeout | undefined
  #syncing: Promise<void> = Promise.resolve()
  #closed = false
  #unsyncedSince: number | undefined
  readonly #count: ((records: number) => void) | undefined
  readonly #log: AuditLog
  readonly #ends: TrailEnds | undefined
  readonly #headWriter: TrailHeadWriter | undefined
  readonly #missed: Promise<void>
  readonly #reserve: OwedReserve

  constructor({ dir, log, isEnded }: Pick<Required<AuditFilesOptions>, 'dir' | 'log' | 'isEnded'>, metrics?: Metrics, ends?: TrailEnds) {
    this.#dir = dir
    this.#isEnded = isEnded
    this.#log = log
    this.#ends = ends
    this.#headWriter = ends && new TrailHeadWriter(ends, (err) => log.error({ err }, 'the head of the audit trail could not be stored'))
    this.#missed = ends === undefined ? Promise.resolve() : reportMissingTrails(dir, ends, log, () => this.#closed)
    this.#count = metrics && auditMeter(metrics, () => ({ lagMs: this.#lagMs(), owing: this.#unwritten.size }))
    this.#reserve = new OwedReserve(join(dir, RESERVE_FILE))
    this.#inherit(this.#reserve.load())
  }

  /** Records that an earlier process owed when it was killed are owed again. */
  #inherit(records: readonly ReservedRecords[]): void {
    if (records.length === 0) return
    for (const one of records) {
      const trail = this.#trail(one.tenantId)
      trail.inherit([one])
      this.#unwritten.add(trail)
    }
    this.#armSync()
  }

  async append(tenantId: string, entries: readonly AuditEntry[]): Promise<void> {
    if (this.#closed) throw new Error('The audit trail is closed.')
    assertTenantId(tenantId)
    // A record of a call that outlasted its tenant would begin a new trail after the removal.
    if (!isFilled(entries) || this.#isEnded(tenantId)) return
    const trail = this.#trail(tenantId)
    const written = trail.append(entries)
    this.#enqueue(trail)
    this.#count?.(entries.length)
    await written
  }

  settle(tenantId: string): Promise<void> | undefined {
    if (this.#unwritten.size === 0) return undefined
    const trail = this.#trails.get(tenantId)
    return trail && this.#unwritten.has(trail) ? this.#settle(trail) : undefined
  }

  get fault(): string | undefined {
    const [trail] = this.#unwritten
    return trail && writeFailureMessage(trail.lastFault)
  }

  async search(tenantId: string, query: AuditQuery): Promise<AuditPage> {
    assertTenantId(tenantId)
    return searchTrail(join(this.#dir, tenantId), query)
  }

  async verify(tenantId: string, cursor?: string): Promise<AuditVerdict> {
    // Read before the trail, which only grows.
    return verdictOf(this.#dir, tenantId, { cursor, stored: await this.#ends?.of(tenantId) })
  }

  tenants(): Promise<readonly string[]> {
    return auditedTenants(this.#dir)
  }

  async days(tenantId: string): Promise<number> {
    assertTenantId(tenantId)
    return (await listFolder(join(this.#dir, tenantId))).days.length
  }

  async purge(tenantId: string, before: string): Promise<number> {
    assertTenantId(tenantId)
    return purgeDays(join(this.#dir, tenantId), before)
  }

  async remove(tenantId: string): Promise<void> {
    assertTenantId(tenantId)
    const trail = this.#trails.get(tenantId)
    if (trail) {
      while (this.#writing.has(trail)) await this.#writing.get(trail)
      this.#trails.delete(tenantId)
      for (const list of [this.#ready, this.#unsynced, this.#unwritten]) list.delete(trail)
      await trail.leave()
    }
    // Removes the stored end first: a trail that has a stored end and no files would look like one that somebody removed.
    await this.#headWriter?.remove(tenantId)
    const folder = join(this.#dir, tenantId)
    await this.#handles.discardIn(folder)
    if (!existsSync(folder)) return
    await rm(folder, { recursive: true, force: true })
    await syncFolder(this.#dir)
  }

  async close(): Promise<void> {
    this.#closed = true
    // Last attempt; records that fail now are lost with the process.
    this.#settleAll()
    this.#startWrites()
    while (this.#writing.size > 0) await Promise.all(this.#writing.values())
    clearTimeout(this.#syncTimer)
    await this.#syncing
    await this.#syncAll(WRITES_AT_ONCE)
    await this.#handles.closeAll()
    this.#reserve.close()
    await this.#missed
    await this.#headWriter?.flush()
  }

  #lagMs(): number {
    return this.#unsyncedSince === undefined ? 0 : performance.now() - this.#unsyncedSince
  }

  #trail(tenantId: string): TenantTrail {
    let trail = this.#trails.get(tenantId)
    if (!trail) {
      trail = new TenantTrail(this.#dir, tenantId, this.#handles, {
        end: async () => this.#ends?.of(tenantId),
        reserve: this.#reserve,
        recovered: (what) =>
          this.#log.error({ tenantId, ...what }, 'the audit trail did not end as it was left; see `gateway audit verify`'),
      })
      this.#trails.set(tenantId, trail)
    }
    return trail
  }

  /** Concurrent callers share a single attempt: a change made in between could be owed too. */
  #settle(trail: TenantTrail): Promise<void> {
    let attempt = this.#settling.get(trail)
    if (!attempt) {
      attempt = trail
        .settle()
        .then(
          () => {
            if (!trail.owes) this.#unwritten.delete(trail)
          },
          (error: unknown) => {
            throw auditFailed(error)
          },
        )
        .finally(() => this.#settling.delete(trail))
      this.#settling.set(trail, attempt)
      this.#enqueue(trail)
    }
    return attempt
  }

  #settleAll(): void {
    for (const trail of this.#unwritten) {
      if (this.#isEnded(trail.tenantId)) this.#drop(trail)
      else this.#settle(trail).catch(() => {})
    }
  }

  /** A tenant that has ended gets no more records. */
  #drop(trail: TenantTrail): void {
    this.#unwritten.delete(trail)
    void trail.leave()
  }

  #enqueue(trail: TenantTrail): void {
    if (!this.#writing.has(trail)) this.#ready.add(trail)
    this.#schedule()
  }

  /**
   * Runs when everything ready to run has run: the calls of one store commit continue together, so their records share a write.
   * A turn later their callers would wait longer, and fewer of their next requests would share a commit.
   */
  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    process.nextTick(() => {
      this.#scheduled = false
      this.#startWrites()
    })
  }

  #startWrites(): void {
    for (const trail of this.#ready) {
      if (this.#writing.size >= WRITES_AT_ONCE) return
      this.#ready.delete(trail)
      this.#writing.set(trail, this.#write(trail))
    }
  }

  async #write(trail: TenantTrail): Promise<void> {
    await trail.flush()
    if (trail.owes) this.#unwritten.add(trail)
    this.#unsynced.add(trail)
    this.#unsyncedSince ??= performance.now()
    this.#armSync()
    this.#writing.delete(trail)
    if (!trail.idle) this.#ready.add(trail)
    this.#startWrites()
  }

  #armSync(): void {
    if (this.#syncTimer || this.#closed) return
    this.#syncTimer = setTimeout(() => {
      // Syncs one after the other: a sync holds a thread of the pool for milliseconds, and writes need the same threads.
      this.#syncing = this.#syncAll(1)
        .then(() => this.#reserve.allocate())
        .finally(() => {
          this.#syncTimer = undefined
          if (!this.#closed) this.#settleAll()
          if (this.#unsynced.size > 0) this.#armSync()
        })
    }, SYNC_INTERVAL_MS).unref()
  }

  async #syncAll(lanes: number): Promise<void> {
    const trails = [...this.#unsynced].values()
    this.#unsynced.clear()
    const since = this.#unsyncedSince
    const began = performance.now()
    const lane = async (): Promise<void> => {
      for (const trail of trails) {
        await trail.sync()
        if (trail.onDisk && this.#trails.get(trail.tenantId) === trail) this.#headWriter?.reached(trail.tenantId, trail.onDisk)
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    // Records that arrived meanwhile have waited since then at most.
    if (this.#unsyncedSince === since) this.#unsyncedSince = this.#unsynced.size > 0 ? began : undefined
  }
}

const isFilled = <T>(list: readonly T[]): list is readonly [T, ...T[]] => list.length > 0

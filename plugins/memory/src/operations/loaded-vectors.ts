import { Arena } from '../rules/arena.ts'
import { TenantVectors } from '../rules/tenant-vectors.ts'

const MEGABYTE = 1_048_576

/** A tenant's vectors in memory, and the store time up to which they are read. */
export interface Loaded {
  readonly vectors: TenantVectors
  /** Store time; vectors written before it are loaded. */
  readUntil: string
  /** Read time, by this process's clock. */
  readAt: number
  usedAt: number
  /** The read in progress, shared by all waiting callers. */
  reading: Promise<void> | undefined
}

/**
 * Vectors of the tenants that search now. Unused ones are evicted after a while, and the memory is released with the last of
 * them.
 */
export class LoadedVectors {
  readonly #idleMs: number
  readonly #maxBytes: number
  readonly #tenants = new Map<string, Loaded>()
  /** Tenants whose vectors exceed the capacity, with the time of the next try. */
  readonly #tooMany = new Map<string, number>()
  #arena: Arena | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(options: { readonly idleMinutes: number; readonly maxMegabytes: number }) {
    this.#idleMs = options.idleMinutes * 60_000
    this.#maxBytes = options.maxMegabytes * MEGABYTE
  }

  get(tenantId: string): Loaded | undefined {
    return this.#tenants.get(tenantId)
  }

  open(tenantId: string): Loaded {
    this.#arena ??= new Arena()
    const loaded = this.#tenants.get(tenantId) ?? {
      vectors: new TenantVectors(this.#arena),
      readUntil: '',
      readAt: Number.NEGATIVE_INFINITY,
      usedAt: 0,
      reading: undefined,
    }
    loaded.usedAt = performance.now()
    // The last entry of the map is the most recently used one.
    this.#tenants.delete(tenantId)
    this.#tenants.set(tenantId, loaded)
    this.#timer ??= setInterval(() => this.#dropIdle(), Math.min(this.#idleMs, 60_000)).unref()
    return loaded
  }

  /** Evicts the least recently used vectors to make room; false when those of `keep` alone exceed the capacity. */
  fits(keep: string): boolean {
    for (const [tenantId, { reading }] of this.#tenants) {
      if (this.usedBytes <= this.#maxBytes) return true
      if (tenantId !== keep && !reading) this.drop(tenantId)
    }
    return this.usedBytes <= this.#maxBytes
  }

  /** Searches this tenant by words for a while, because repeated reads of its vectors would fail again. */
  refuse(tenantId: string): void {
    this.drop(tenantId)
    this.#tooMany.set(tenantId, performance.now() + this.#idleMs)
  }

  refuses(tenantId: string): boolean {
    const until = this.#tooMany.get(tenantId)
    if (until === undefined) return false
    if (performance.now() < until) return true
    this.#tooMany.delete(tenantId)
    return false
  }

  drop(tenantId: string): void {
    this.#tenants.get(tenantId)?.vectors.clear()
    this.#tenants.delete(tenantId)
    if (this.#tenants.size > 0) return
    this.#arena = undefined
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  forget(tenantId: string): void {
    this.drop(tenantId)
    this.#tooMany.delete(tenantId)
  }

  get usedBytes(): number {
    return this.#arena?.usedBytes ?? 0
  }

  #dropIdle(): void {
    const past = performance.now() - this.#idleMs
    for (const [tenantId, { usedAt, reading }] of this.#tenants) if (usedAt < past && !reading) this.drop(tenantId)
  }
}

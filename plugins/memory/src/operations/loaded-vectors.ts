import { Arena } from '../rules/arena.ts'
import { TenantVectors } from '../rules/tenant-vectors.ts'

const MEGABYTE = 1_048_576

/** A tenant’s vectors in memory, and up to which time of the store they are read. */
export interface Loaded {
  readonly vectors: TenantVectors
  /** Vectors written until then are there. */
  readUntil: string
  /** By the clock of this process. */
  readAt: number
  usedAt: number
  /** While they are being read, for all who wait. */
  reading: Promise<void> | undefined
}

/** The vectors of the tenants that search now. What nobody has used for a while is let go, and with the last of them the memory. */
export class LoadedVectors {
  readonly #idleMs: number
  readonly #maxBytes: number
  readonly #tenants = new Map<string, Loaded>()
  /** Whose vectors are more than there is room for, until when they are not tried again. */
  readonly #tooMany = new Map<string, number>()
  #arena: Arena | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(options: { readonly idleMinutes: number; readonly maxMegabytes: number }) {
    this.#idleMs = options.idleMinutes * 60_000
    this.#maxBytes = options.maxMegabytes * MEGABYTE
  }

  /** What is in memory, if anything is. */
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
    // The last in the map is the one that was used last.
    this.#tenants.delete(tenantId)
    this.#tenants.set(tenantId, loaded)
    this.#timer ??= setInterval(() => this.#dropIdle(), Math.min(this.#idleMs, 60_000)).unref()
    return loaded
  }

  /** Make room by letting go of those that were used longest ago; false when what `keep` has is too much by itself. */
  fits(keep: string): boolean {
    for (const [tenantId, { reading }] of this.#tenants) {
      if (this.usedBytes <= this.#maxBytes) return true
      if (tenantId !== keep && !reading) this.drop(tenantId)
    }
    return this.usedBytes <= this.#maxBytes
  }

  /** Search this tenant by words for a while: reading its vectors again and again would be in vain. */
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

  /** The tenant is gone. */
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

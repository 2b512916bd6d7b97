import { isIP } from 'node:net'
import type { Pool } from 'undici'
import { isLoopbackAddress, isPublicAddress } from '../rules/addresses.ts'
import { ClosedAddress, guardedLookup, type Resolve, thisMachine } from './lookup.ts'

/** Pools that are kept; the one used longest ago is closed first. */
const MAX_POOLS = 500
const CONNECT_MS = 10_000
const KEEP_ALIVE_MS = 30_000
const MAX_HEADER_BYTES = 16_384

export interface Target {
  readonly tenantId: string
  readonly origin: string
  /** Of the origin. */
  readonly hostname: string
  readonly loopback: boolean
}

/**
 * Connections that are kept open, per tenant and origin: a tenant whose handler hangs fills its own, not those of another that
 * calls the same host.
 */
export class Pools {
  readonly #pools = new Map<string, Pool>()
  #undici: typeof import('undici') | undefined
  readonly #resolve: Resolve
  readonly #limits: { readonly connections: number; readonly maxAnswerBytes: number }

  constructor(resolve: Resolve, limits: { readonly connections: number; readonly maxAnswerBytes: number }) {
    this.#resolve = resolve
    this.#limits = limits
  }

  async of(target: Target): Promise<Pool> {
    const { tenantId, origin, loopback } = target
    const key = `${loopback ? 'loopback' : 'open'} ${origin} ${tenantId}`
    // Loaded with the first call: most gateways never make one.
    const undici = (this.#undici ??= await import('undici'))
    // After the only wait: of calls that come at once, the first opens the pool and the others find it.
    const pool = this.#pools.get(key) ?? this.#open(target, undici)
    this.#pools.delete(key)
    this.#pools.set(key, pool)
    if (this.#pools.size > MAX_POOLS) this.#closeOldest()
    return pool
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()))
    this.#pools.clear()
  }

  #open({ origin, hostname, loopback }: Target, { Pool }: typeof import('undici')): Pool {
    const isOpen = loopback ? isLoopbackAddress : isPublicAddress
    // A host that is an address is never looked up, so that the check while connecting would not see it.
    const address = hostname.replace(/^\[(.*)\]$/, '$1')
    if (isIP(address) !== 0 && !isOpen(address)) throw new ClosedAddress(`${hostname} is a closed address`)
    const resolve = loopback ? thisMachine : this.#resolve
    return new Pool(origin, {
      connections: this.#limits.connections,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      maxResponseSize: this.#limits.maxAnswerBytes,
      // One deadline holds for all of a call.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: CONNECT_MS, lookup: guardedLookup(resolve, isOpen) },
    })
  }

  #closeOldest(): void {
    const [oldest] = this.#pools
    if (!oldest) return
    const [key, pool] = oldest
    this.#pools.delete(key)
    void pool.close()
  }
}

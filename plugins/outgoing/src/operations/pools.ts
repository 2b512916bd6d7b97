import { isIP } from 'node:net'
import { BoundedMap } from '@gateway/sdk/bounds'
import type { Pool } from 'undici'
import type { Reach } from '../api.ts'
import { isLoopbackAddress, isPublicAddress } from '../rules/addresses.ts'
import { ClosedAddress } from '../rules/failure.ts'
import { guardedLookup, type Resolve, thisMachine } from './lookup.ts'

/** Capacity of the pool cache; the least recently used one is closed first. */
const MAX_POOLS = 500
export const CONNECT_MS = 10_000
const KEEP_ALIVE_MS = 30_000
const MAX_HEADER_BYTES = 16_384

export interface Target {
  readonly tenantId: string
  readonly origin: string
  readonly hostname: string
  readonly reach: Reach
}
export interface PoolLimits {
  readonly connections: number
  readonly callsPerOrigin: number
}

/**
 * Keep-alive connections. For tenants' URLs per tenant and origin: a tenant whose handler hangs fills its own pool, not that of
 * another that calls the same host. For the operator's URLs per origin.
 */
export class Pools {
  readonly #pools = new BoundedMap<string, Pool>(MAX_POOLS, (pool) => void pool.close())
  readonly #resolve: Resolve
  readonly #limits: PoolLimits

  constructor(resolve: Resolve, limits: PoolLimits) {
    this.#resolve = resolve
    this.#limits = limits
  }

  /** Throws ClosedAddress for a host that is an address outside the reach. */
  of(target: Target, undici: typeof import('undici')): Pool {
    const { tenantId, origin, reach } = target
    const key = reach === 'operator' ? `${reach} ${origin}` : `${reach} ${origin} ${tenantId}`
    const kept = this.#pools.refresh(key)
    if (kept) return kept
    const pool = this.#open(target, undici)
    this.#pools.set(key, pool)
    return pool
  }

  /** Ends running exchanges. */
  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()))
    this.#pools.clear()
  }

  #open({ origin, hostname, reach }: Target, { Pool }: typeof import('undici')): Pool {
    return new Pool(origin, {
      connections: reach === 'operator' ? this.#limits.callsPerOrigin : this.#limits.connections,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // A call has its own deadlines.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: CONNECT_MS, ...(reach !== 'operator' && { lookup: this.#guarded(hostname, reach) }) },
    })
  }

  #guarded(hostname: string, reach: 'public' | 'loopback') {
    const isOpen = reach === 'loopback' ? isLoopbackAddress : isPublicAddress
    // A host that is an address is never resolved, so the check while connecting would not see it.
    const address = hostname.replace(/^\[(.*)\]$/, '$1')
    if (isIP(address) !== 0 && !isOpen(address)) throw new ClosedAddress(`${hostname} is a closed address`)
    return guardedLookup(reach === 'loopback' ? thisMachine : this.#resolve, isOpen)
  }
}

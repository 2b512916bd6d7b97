import { MINUTE_MS, type Principal, type ToolError } from '@gateway/sdk'
import { BoundedMap } from '@gateway/sdk/bounds'
import type { Clock } from '../clock.ts'
import { RateLimited } from '../errors.ts'

/** Capacity of each table of counted callers and tenants. The entry used longest ago is evicted and starts with a full allowance. */
const MAX_COUNTED = 10_000

/** Token buckets: `perMinute` at once, refilled evenly over each minute. */
class Buckets {
  readonly #perMinute: number
  readonly #levels = new BoundedMap<string, { left: number; at: number }>(MAX_COUNTED)

  constructor(perMinute: number) {
    this.#perMinute = perMinute
  }

  left(key: string, now: number): number {
    const known = this.#levels.get(key)
    if (known === undefined) return this.#perMinute
    // The clock was set back: the bucket is refilled from now on, not only from the time that it had reached.
    if (now < known.at) known.at = now
    return Math.min(this.#perMinute, known.left + ((now - known.at) * this.#perMinute) / MINUTE_MS)
  }

  take(key: string, now: number): void {
    this.#levels.set(key, { left: this.left(key, now) - 1, at: now })
  }

  secondsUntilOne(key: string, now: number): number {
    return Math.max(1, Math.ceil(((1 - this.left(key, now)) * MINUTE_MS) / this.#perMinute / 1_000))
  }
}

/**
 * Limits calls per minute and caller, and per minute and tenant, on this node; several nodes together admit a multiple. The
 * operator and the gateway are not counted. 0 means no limit.
 */
export class RateLimits {
  readonly #clock: Clock
  readonly #callers: Buckets | undefined
  readonly #tenants: Buckets | undefined

  constructor(clock: Clock, perMinute: { readonly caller: number; readonly tenant: number }) {
    this.#clock = clock
    this.#callers = perMinute.caller > 0 ? new Buckets(perMinute.caller) : undefined
    this.#tenants = perMinute.tenant > 0 ? new Buckets(perMinute.tenant) : undefined
  }

  /** RATE_LIMITED if the caller cannot begin a call now. It counts nothing, because it is checked before a body is read. */
  refusal(principal: Principal): ToolError | undefined {
    if ((this.#callers ?? this.#tenants) === undefined || isExempt(principal)) return undefined
    const now = this.#clock.now()
    const { tenantId } = principal
    return this.#full(this.#callers, callerOf(principal), 'caller', now) ?? this.#full(this.#tenants, tenantId, 'tenant', now)
  }

  take(principal: Principal): ToolError | undefined {
    if ((this.#callers ?? this.#tenants) === undefined || isExempt(principal)) return undefined
    const refusal = this.refusal(principal)
    if (refusal !== undefined) return refusal
    const now = this.#clock.now()
    this.#callers?.take(callerOf(principal), now)
    this.#tenants?.take(principal.tenantId, now)
    return undefined
  }

  #full(buckets: Buckets | undefined, key: string, of: 'caller' | 'tenant', now: number): ToolError | undefined {
    if (buckets === undefined || buckets.left(key, now) >= 1) return undefined
    return RateLimited({ of, retryAfterSeconds: buckets.secondsUntilOne(key, now) })
  }
}

const isExempt = ({ kind }: Principal): boolean => kind === 'operator' || kind === 'system'
const callerOf = ({ tenantId, id }: Principal): string => `${tenantId} ${id}`

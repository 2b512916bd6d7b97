import type { ToolError } from '@gateway/sdk'
import { Overloaded } from '../errors.ts'

/** What one tenant may hold of a thing that all share, once others are there: the rest stays free for them. */
const SHARE = 1 / 4
const RETRY_AFTER_SECONDS = 1

/** A tenant’s part of `limit`, and never nothing. */
export const shareOf = (limit: number): number => Math.max(1, Math.ceil(limit * SHARE))

/**
 * Which calls may run. A call from outside takes a place until its answer is out, not only until it is made: what waits in a
 * socket holds memory. Calls that calls and jobs make run inside the place of who made them and are counted for a stop alone.
 *
 * 1. `refusal` is asked at the door, before a body is read; 2. `enter` takes a place, `leave` gives it back; 3. a tenant has
 * all places while it is the only one, and a quarter of them once another has called; 4. `drain` ends it.
 */
export class Admission {
  readonly limit: number
  readonly #share: number
  readonly #tenants = new Map<string, number>()
  #first: string | undefined
  #several = false
  #places = 0
  #inner = 0
  #stopping = false
  #idle: (() => void) | undefined

  constructor(limit: number) {
    this.limit = limit
    this.#share = shareOf(limit)
  }

  /** Calls from outside that have a place now. */
  get inFlight(): number {
    return this.#places
  }

  /** Whether more than one tenant has called, so that each has its share alone. */
  get isShared(): boolean {
    return this.#several
  }

  /** UNAVAILABLE when this tenant could begin no call now. */
  refusal(tenantId: string): ToolError | undefined {
    if (tenantId !== this.#first) this.#meet(tenantId)
    const why = this.#why(tenantId)
    return why === undefined ? undefined : Overloaded({ message: why, retryAfterSeconds: RETRY_AFTER_SECONDS })
  }

  /** Takes a place, unless there is none: then says why. */
  enter(tenantId: string): ToolError | undefined {
    const refusal = this.refusal(tenantId)
    if (refusal !== undefined) return refusal
    this.#places++
    this.#tenants.set(tenantId, (this.#tenants.get(tenantId) ?? 0) + 1)
    return undefined
  }

  leave(tenantId: string): void {
    this.#places--
    const left = (this.#tenants.get(tenantId) as number) - 1
    if (left === 0) this.#tenants.delete(tenantId)
    else this.#tenants.set(tenantId, left)
    this.#ended()
  }

  /** A call inside another’s place, or of a job. False once the gateway stops. */
  enterInner(): boolean {
    if (this.#stopping) return false
    this.#inner++
    return true
  }

  leaveInner(): void {
    this.#inner--
    this.#ended()
  }

  /** Refuse new calls; resolves when the running ones have ended. */
  async drain(): Promise<void> {
    this.#stopping = true
    if (this.#places + this.#inner > 0) await new Promise<void>((resolve) => (this.#idle = resolve))
  }

  #ended(): void {
    if (this.#idle !== undefined && this.#places + this.#inner === 0) this.#idle()
  }

  #meet(tenantId: string): void {
    if (this.#first === undefined) this.#first = tenantId
    else this.#several = true
  }

  #why(tenantId: string): string | undefined {
    if (this.#stopping) return 'The gateway is stopping.'
    if (this.#places >= this.limit) return `The gateway already serves ${this.limit} calls at once (GATEWAY_MAX_IN_FLIGHT).`
    if (this.#several && (this.#tenants.get(tenantId) ?? 0) >= this.#share) {
      return `This tenant already has ${this.#share} calls under way, its share of GATEWAY_MAX_IN_FLIGHT.`
    }
    return undefined
  }
}

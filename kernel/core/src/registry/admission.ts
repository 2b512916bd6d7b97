import type { ToolError } from '@gateway/sdk'
import { Overloaded } from '../errors.ts'

/** Largest share of a common resource that one tenant may hold while others are active; the rest stays free for them. */
const SHARE = 1 / 4
/** Share of the permits that is kept for tenants without a call under way, so that floods of several tenants leave room. */
const RESERVED_SHARE = 1 / 8
const RETRY_AFTER_SECONDS = 1

export const shareOf = (limit: number): number => Math.max(1, Math.ceil(limit * SHARE))

/**
 * Admits calls. A call from outside holds a permit until its answer is sent, not only until it is computed, because an answer
 * that waits in a socket holds memory. Calls made by calls and jobs run on the permit of their caller and are counted only for a stop.
 *
 * 1. `refusal` is checked before a body is read. 2. `enter` takes a permit, `leave` returns it. 3. A tenant may hold all permits
 * while it is the only one, and a quarter of them once another tenant has called; the last eighth is then for tenants without a call
 * under way. 4. `drain` ends admission.
 */
export class Admission {
  readonly limit: number
  readonly #share: number
  readonly #tenants = new Map<string, number>()
  #first: string | undefined
  #several = false
  #permits = 0
  #inner = 0
  #stopping = false
  #idle: (() => void) | undefined

  constructor(limit: number) {
    this.limit = limit
    this.#share = shareOf(limit)
  }

  get inFlight(): number {
    return this.#permits
  }

  /** True once a second tenant has called, so that each is limited to its share. */
  get isShared(): boolean {
    return this.#several
  }

  held(tenantId: string): number {
    return this.#tenants.get(tenantId) ?? 0
  }

  /** UNAVAILABLE if this tenant cannot begin a call now. */
  refusal(tenantId: string): ToolError | undefined {
    if (tenantId !== this.#first) this.#noteTenant(tenantId)
    const why = this.#why(tenantId)
    return why === undefined ? undefined : Overloaded({ message: why, retryAfterSeconds: RETRY_AFTER_SECONDS })
  }

  enter(tenantId: string): ToolError | undefined {
    const refusal = this.refusal(tenantId)
    if (refusal !== undefined) return refusal
    this.enterAgain(tenantId)
    return undefined
  }

  /** Takes a permit again, whatever the limit, for a call that returned its own while it waited. */
  enterAgain(tenantId: string): void {
    this.#permits++
    this.#tenants.set(tenantId, this.held(tenantId) + 1)
  }

  leave(tenantId: string): void {
    this.#permits--
    const left = this.held(tenantId) - 1
    if (left === 0) this.#tenants.delete(tenantId)
    else this.#tenants.set(tenantId, left)
    this.#ended()
  }

  /** Admits a call made by another call or a job. False once the gateway stops. */
  enterInner(): boolean {
    if (this.#stopping) return false
    this.#inner++
    return true
  }

  leaveInner(): void {
    this.#inner--
    this.#ended()
  }

  async drain(): Promise<void> {
    this.#stopping = true
    if (this.#permits + this.#inner > 0) await new Promise<void>((resolve) => (this.#idle = resolve))
  }

  #ended(): void {
    if (this.#idle !== undefined && this.#permits + this.#inner === 0) this.#idle()
  }

  #noteTenant(tenantId: string): void {
    if (this.#first === undefined) this.#first = tenantId
    else this.#several = true
  }

  #why(tenantId: string): string | undefined {
    if (this.#stopping) return 'The gateway is stopping.'
    if (this.#permits >= this.limit) return `The gateway already serves ${this.limit} calls at once (GATEWAY_MAX_IN_FLIGHT).`
    const held = this.#several ? this.held(tenantId) : 0
    if (held >= this.#share) return `This tenant already has ${this.#share} calls under way, its share of GATEWAY_MAX_IN_FLIGHT.`
    if (held === 0 || this.#permits < this.limit - Math.floor(this.limit * RESERVED_SHARE)) return undefined
    return 'The gateway is nearly full, and its last permits are for tenants without a call under way (GATEWAY_MAX_IN_FLIGHT).'
  }
}

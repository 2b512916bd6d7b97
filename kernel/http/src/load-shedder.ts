import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { type Admission, Overloaded } from '@gateway/kernel'
import type { ToolError } from '@gateway/sdk'
import { TenantLoad } from './tenant-load.ts'

/** Returns the event loop's lateness in milliseconds since the last call. */
export type Lateness = () => number

const SAMPLE_MS = 500
const TOO_LATE_MS = 1_000

/**
 * Refuses requests before work begins: if the admission has no permit, if the event loop was late in two consecutive samples
 * (one alone is a hiccup, such as a large garbage collection), and while the server closes. A late event loop refuses the
 * busiest tenant first, twice as many with each further late sample, and finally all. @fastify/under-pressure does not fit,
 * because it counts requests of one Fastify instance and knows no tenants.
 */
export class LoadShedder {
  readonly #admission: Pick<Admission, 'refusal' | 'held'>
  readonly #load: TenantLoad
  #shed: ReadonlySet<string> | 'all' = new Set()
  #lateSamples = 0
  #closed = false
  #draining = false
  #starting: boolean
  readonly #closing: (() => void)[] = []
  readonly #timer: NodeJS.Timeout
  readonly #delay: IntervalHistogram | undefined

  constructor(admission: Pick<Admission, 'refusal' | 'held'>, lateness?: Lateness, { starting = false }: { starting?: boolean } = {}) {
    this.#admission = admission
    this.#load = new TenantLoad((tenantId) => admission.held(tenantId))
    this.#starting = starting
    this.#delay = lateness ? undefined : monitorEventLoopDelay({ resolution: 20 })
    this.#delay?.enable()
    const measure = lateness ?? ((): number => this.#meanDelay())
    this.#timer = setInterval(() => this.sample(measure()), SAMPLE_MS).unref()
  }

  sample(lateMs: number): void {
    this.#lateSamples = lateMs > TOO_LATE_MS ? this.#lateSamples + 1 : 0
    this.#shed = this.#lateSamples < 2 ? new Set() : this.#chooseShed(2 ** (this.#lateSamples - 2))
    this.#load.decay()
  }

  #chooseShed(count: number): ReadonlySet<string> | 'all' {
    const busiest = this.#load.busiest()
    return count > busiest.length ? 'all' : new Set(busiest.slice(0, count))
  }

  /** UNAVAILABLE if this tenant's request should not begin. */
  refusal(tenantId: string): ToolError | undefined {
    if (this.#closed) return Overloaded({ message: 'The gateway is stopping.', retryAfterSeconds: 1 })
    this.#load.note(tenantId)
    const refusal = this.#admission.refusal(tenantId)
    if (refusal !== undefined || !(this.#shed === 'all' || this.#shed.has(tenantId))) return refusal
    return Overloaded({ message: 'The gateway is overloaded: responses take too long.', retryAfterSeconds: 1 })
  }

  /** Readiness for a load balancer. Requests are also accepted while starting, and while draining until the close. */
  get state(): 'starting' | 'open' | 'draining' {
    return this.#draining || this.#closed ? 'draining' : this.#starting ? 'starting' : 'open'
  }

  started(): void {
    this.#starting = false
  }

  drain(): void {
    this.#draining = true
  }

  /** Called once nothing is admitted any more. */
  onClose(listener: () => void): void {
    this.#closing.push(listener)
  }

  /** Stops admitting; running calls may end. */
  close(): void {
    this.#closed = true
    for (const listener of this.#closing.splice(0)) listener()
    clearInterval(this.#timer)
    this.#delay?.disable()
  }

  #meanDelay(): number {
    const mean = (this.#delay?.mean ?? 0) / 1e6
    this.#delay?.reset()
    return mean
  }
}

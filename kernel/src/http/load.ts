import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import type { ToolError } from '@gateway/sdk'
import { errorRecord, Overloaded } from '../errors.ts'
import type { Call, CompletionRequest, Gateway, Outcome } from '../gateway.ts'
import type { Calls } from '../mcp/dispatcher.ts'

/** How late the event loop is, in milliseconds, since it was last asked. */
export type Lateness = () => number

const SAMPLE_MS = 500
const TOO_LATE_MS = 1_000
const RETRY_AFTER_SECONDS = 1

/**
 * Sheds load before work begins: too many calls at once, or a loop that has been late for two samples running (one
 * alone is a hiccup, such as a large collection of garbage). Own code rather than @fastify/under-pressure, which
 * counts requests of one Fastify instance: here a batch counts each call, the same count drains a stop, and the whole
 * is this page.
 */
export class Load implements Calls {
  #inFlight = 0
  #lateSamples = 0
  #draining = false
  readonly #gateway: Gateway
  readonly #timer: NodeJS.Timeout
  readonly #delay: IntervalHistogram | undefined

  constructor(gateway: Gateway, lateness?: Lateness) {
    this.#gateway = gateway
    this.#delay = lateness ? undefined : monitorEventLoopDelay({ resolution: 20 })
    this.#delay?.enable()
    const measure = lateness ?? ((): number => this.#meanDelay())
    this.#timer = setInterval(() => this.sample(measure()), SAMPLE_MS).unref()
  }

  /** Calls running now. */
  get inFlight(): number {
    return this.#inFlight
  }

  /** Take a measurement of the event loop’s lateness. */
  sample(lateMs: number): void {
    this.#lateSamples = lateMs > TOO_LATE_MS ? this.#lateSamples + 1 : 0
  }

  /** UNAVAILABLE when no further call should begin. */
  refusal(): ToolError | undefined {
    const message = this.#reason()
    return message === undefined ? undefined : Overloaded({ message, retryAfterSeconds: RETRY_AFTER_SECONDS })
  }

  /** From now on nothing is admitted; what runs may end. */
  drain(): void {
    this.#draining = true
    clearInterval(this.#timer)
    this.#delay?.disable()
  }

  invoke(call: Call): Promise<Outcome> {
    return this.#counted(call.requestId, () => this.#gateway.invoke(call))
  }

  readResource(uri: string, call: Omit<Call, 'name' | 'args'>): Promise<Outcome> {
    return this.#counted(call.requestId, () => this.#gateway.readResource(uri, call))
  }

  renderPrompt(call: Call): Promise<Outcome> {
    return this.#counted(call.requestId, () => this.#gateway.renderPrompt(call))
  }

  complete(call: Omit<Call, 'name' | 'args'>, asked: CompletionRequest): Promise<Outcome> {
    return this.#counted(call.requestId, () => this.#gateway.complete(call, asked))
  }

  /** A request is admitted before its body is read; the calls it then makes are held to the limit one by one. */
  #counted(requestId: string, work: () => Promise<Outcome>): Promise<Outcome> {
    if (this.#inFlight >= this.#gateway.settings.maxInFlight) {
      const error = Overloaded({ message: this.#full(), retryAfterSeconds: RETRY_AFTER_SECONDS })
      return Promise.resolve({ ok: false, status: error.status, error: errorRecord(error, requestId) })
    }
    this.#inFlight++
    const outcome = work()
    outcome.then(this.#ended, this.#ended)
    return outcome
  }

  readonly #ended = (): void => {
    this.#inFlight--
  }

  #reason(): string | undefined {
    if (this.#draining) return 'The gateway is stopping.'
    if (this.#inFlight >= this.#gateway.settings.maxInFlight) return this.#full()
    return this.#lateSamples >= 2 ? 'The gateway is overloaded: it answers too late.' : undefined
  }

  #full(): string {
    return `The gateway already serves ${this.#gateway.settings.maxInFlight} calls at once (GATEWAY_MAX_IN_FLIGHT).`
  }

  #meanDelay(): number {
    const mean = (this.#delay?.mean ?? 0) / 1e6
    this.#delay?.reset()
    return mean
  }
}

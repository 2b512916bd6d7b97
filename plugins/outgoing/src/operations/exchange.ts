import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { type Failure, OutgoingFailed, OutgoingTimeout, type Phase } from '../errors.ts'
import { failureOf } from '../rules/failure.ts'
import { Body } from './body.ts'

export interface ExchangeLimits {
  readonly origin: string
  readonly connectMs: number
  readonly firstByteMs: number
  readonly idleMs: number
  readonly totalMs: number
  readonly maxBytes: number
  /** True for HEAD: its content length belongs to a body that does not come. */
  readonly bodiless: boolean
  onSent?(): void
}
export interface Head {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Body
}
/** End of an exchange: complete, dropped by its reader or caller, or an error. */
export type Ending = 'complete' | 'left' | Error

/**
 * A request and its answer, as undici reports them. Its own streams and signals would cost more than everything else that is
 * done with an answer. The first end counts and later events are ignored. A connection that is not at the end of its answer is
 * then closed, and an unsent request is never sent.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  /** Settles with the status of the answer. */
  readonly head: Promise<Head>
  readonly #limits: ExchangeLimits
  readonly #signal: AbortSignal
  readonly #ended: (ending: Ending, status: number | undefined) => void
  readonly #total: NodeJS.Timeout
  #phase: NodeJS.Timeout | undefined
  #resolveHead: (head: Head) => void = () => {}
  #rejectHead: (error: unknown) => void = () => {}
  #controller: Dispatcher.DispatchController | undefined
  #body: Body | undefined
  #status: number | undefined
  #bytes = 0
  #sent = false
  #over = false

  constructor(limits: ExchangeLimits, signal: AbortSignal, ended: (ending: Ending, status: number | undefined) => void) {
    this.#limits = limits
    this.#signal = signal
    this.#ended = ended
    this.head = new Promise((resolve, reject) => {
      this.#resolveHead = resolve
      this.#rejectHead = reject
    })
    this.#total = setTimeout(() => this.#timeout('total', limits.totalMs), limits.totalMs)
    this.#begin('connect', limits.connectMs)
    // AbortSignal.any does not fit: a signal that nobody can abort outlives all calls and would keep each of them.
    signal.addEventListener('abort', this.#leave, { once: true })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#over) return this.#abort()
    this.#sent = true
    this.#limits.onSent?.()
    this.#begin('first_byte', this.#limits.firstByteMs)
  }

  onResponseStart(_controller: unknown, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200 || this.#over) return
    this.#status = status
    const body = new Body({
      pause: () => this.#pause(),
      resume: () => this.#resume(),
      cancel: () => this.#stop('left', undefined),
    })
    this.#body = body
    this.#resolveHead({ status, headers, body })
    this.#begin('idle', this.#limits.idleMs)
    if (!this.#limits.bodiless && Number(headers['content-length']) > this.#limits.maxBytes) this.fail('too_large')
  }

  onResponseData(_controller: unknown, part: Buffer): void {
    if (this.#over) return
    this.#bytes += part.length
    if (this.#bytes > this.#limits.maxBytes) return this.fail('too_large')
    this.#phase?.refresh()
    this.#body?.push(part)
  }

  onResponseEnd(): void {
    if (this.#settle()) {
      this.#body?.end()
      this.#ended('complete', this.#status)
    }
  }

  onResponseError(_controller: unknown, error: unknown): void {
    if (this.#over) return
    const { code } = error as { readonly code?: unknown }
    if (code === 'UND_ERR_CONNECT_TIMEOUT') this.#timeout('connect', this.#limits.connectMs)
    else if (code === 'UND_ERR_INVALID_ARG') this.abandon(error as Error)
    else this.fail(failureOf(error, this.#sent))
  }

  /** Ends it because of a fault of the caller. */
  abandon(error: Error): void {
    this.#stop(error, error)
  }

  /** Ends it because of the answer, or its absence. */
  fail(reason: Failure): void {
    const error = OutgoingFailed({ origin: this.#limits.origin, reason, sent: this.#sent })
    this.#stop(error, error)
  }

  readonly #leave = (): void => this.#stop('left', this.#signal.reason)

  #timeout(phase: Phase, afterMs: number): void {
    const error = OutgoingTimeout({ origin: this.#limits.origin, phase, afterMs, sent: this.#sent })
    this.#stop(error, error)
  }

  #stop(ending: Ending, error: unknown): void {
    if (!this.#settle()) return
    this.#rejectHead(error)
    this.#body?.end({ error })
    this.#abort()
    this.#ended(ending, this.#status)
  }

  #settle(): boolean {
    if (this.#over) return false
    this.#over = true
    clearTimeout(this.#total)
    clearTimeout(this.#phase)
    this.#signal.removeEventListener('abort', this.#leave)
    return true
  }

  #begin(phase: Phase, ms: number): void {
    clearTimeout(this.#phase)
    this.#phase = setTimeout(() => this.#timeout(phase, ms), ms)
  }

  #pause(): void {
    // The reader waits now, and only the whole call is timed.
    clearTimeout(this.#phase)
    this.#phase = undefined
    this.#controller?.pause()
  }

  #resume(): void {
    if (this.#over || !this.#controller?.paused) return
    this.#begin('idle', this.#limits.idleMs)
    this.#controller.resume()
  }

  #abort(): void {
    this.#controller?.abort(new Error('the caller has gone'))
  }
}

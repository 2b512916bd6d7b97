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
  /** HEAD: what it says of its length is of a body that does not come. */
  readonly bodiless: boolean
}
export interface Head {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Body
}
/** How it ended: complete, let go by its reader or caller, or with an error. */
export type Ending = 'complete' | 'left' | Error

/**
 * One request and its answer, as undici tells of them. Its own streams and signals would cost more than all else that is done
 * with an answer. The first ending holds; what comes after it is not heard. A connection that is not at the end of its answer
 * then is closed, and what was not sent yet never is.
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
    // Not AbortSignal.any: the signal of a call that nobody can stop outlives all calls, and would remember each.
    signal.addEventListener('abort', this.#leave, { once: true })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#over) return this.#abort()
    this.#sent = true
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

  /** Give it up for a fault of the one who asked for it. */
  abandon(error: Error): void {
    this.#stop(error, error)
  }

  /** Give it up for what came, or did not. */
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
    // The wait is the reader’s now, and only the whole of the call is timed.
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
    this.#controller?.abort(new Error('nobody waits for it any more'))
  }
}

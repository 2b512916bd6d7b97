import type { CallOrigin } from '@gateway/kernel'

/**
 * An AbortController created on first use. A signal costs more than everything else the kernel does for a cheap call, and few
 * handlers read theirs.
 */
export class LazyAbort {
  /** True if the call can be resumed over another connection and so does not end with its own. */
  outlivesConnection = false
  readonly #isAdmitted: (() => Promise<boolean>) | undefined
  #controller: AbortController | undefined
  #reason: unknown

  /** `isAdmitted` checks the caller's credential again. */
  constructor(isAdmitted?: () => Promise<boolean>) {
    this.#isAdmitted = isAdmitted
  }

  /** Undefined until aborted. */
  get reason(): unknown {
    return this.#reason
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#reason !== undefined) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  /** The first reason is kept. */
  abort(reason: Error): void {
    if (this.#reason !== undefined) return
    this.#reason = reason
    this.#controller?.abort(reason)
  }

  /** Called by the transport when the client disconnected before its answer was written. */
  connectionLost(): void {
    if (!this.outlivesConnection) this.abort(new Error('the client disconnected'))
  }

  get origin(): CallOrigin | undefined {
    return undefined
  }

  /** False if the caller's credential has ended since the request came. */
  async stillAdmitted(): Promise<boolean> {
    return (await this.#isAdmitted?.()) ?? true
  }

  /** Calls the listener when the answer is sent or cannot be sent any more; at once if the call sends no answer of its own. */
  afterReply(listener: () => void): void {
    listener()
  }
}

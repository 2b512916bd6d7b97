import type { CallOrigin } from '@gateway/kernel'

/**
 * An AbortController made on first use. A signal costs more than everything else the kernel does for a cheap call, and
 * few handlers look at theirs.
 */
export class LazyAbort {
  /** The call can be taken up again over another connection: it does not end with the one it came on. */
  outlivesConnection = false
  #controller: AbortController | undefined
  #reason: unknown

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

  /** The first reason stays. */
  abort(reason: Error): void {
    if (this.#reason !== undefined) return
    this.#reason = reason
    this.#controller?.abort(reason)
  }

  /** The transport’s word that the client hung up before its answer was written. */
  connectionLost(): void {
    if (!this.outlivesConnection) this.abort(new Error('the client went away'))
  }

  /** Where the request came from. */
  get origin(): CallOrigin | undefined {
    return undefined
  }

  /** Tells when the answer is out, or cannot be sent any more. At once where no answer of one’s own is sent. */
  afterReply(listener: () => void): void {
    listener()
  }
}

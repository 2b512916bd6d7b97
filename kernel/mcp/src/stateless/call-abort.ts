import { LazyAbort } from '../lazy-abort.ts'

/** Ends a call when its request ends, until the call is detached and continues without it. */
export class CallAbort extends LazyAbort {
  #request: LazyAbort | undefined
  #following = false

  constructor(request: LazyAbort) {
    super()
    this.#request = request
  }

  get isGone(): boolean {
    return this.#request?.reason !== undefined
  }

  override get signal(): AbortSignal {
    if (!this.#following && this.#request !== undefined) {
      this.#following = true
      const { signal } = this.#request
      if (signal.aborted) this.#requestEnded()
      else signal.addEventListener('abort', () => this.#requestEnded(), { once: true })
    }
    return super.signal
  }

  override get origin(): LazyAbort['origin'] {
    return this.#request?.origin
  }

  override async stillAdmitted(): Promise<boolean> {
    return (await this.#request?.stillAdmitted()) ?? true
  }

  override afterReply(listener: () => void): void {
    if (this.#request === undefined) listener()
    else this.#request.afterReply(listener)
  }

  detach(): void {
    this.#request = undefined
  }

  #requestEnded(): void {
    if (this.#request !== undefined) this.abort(this.#request.reason as Error)
  }
}

import { setMaxListeners } from 'node:events'

/**
 * A signal that follows another one and can also be aborted on its own. AbortSignal.any does not fit: the signal of a job
 * outlives its calls.
 */
export class LinkedSignal {
  readonly #controller = new AbortController()
  readonly #followed: AbortSignal | undefined
  readonly #end = (): void => this.#controller.abort(this.#followed?.reason)

  constructor(followed: AbortSignal | undefined) {
    setMaxListeners(0, this.#controller.signal)
    this.#followed = followed
    if (followed?.aborted) this.#end()
    else followed?.addEventListener('abort', this.#end, { once: true })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  abort(reason: Error): void {
    this.#controller.abort(reason)
  }

  unlink(): void {
    this.#followed?.removeEventListener('abort', this.#end)
  }
}

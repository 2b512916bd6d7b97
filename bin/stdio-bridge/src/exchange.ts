import type { Id } from '@gateway/mcp/wire'

/** Message or batch of the client on its way through the bridge. */
export class Exchange {
  /** Line as the client wrote it: it is forwarded unchanged. */
  readonly body: Buffer
  readonly unanswered: Set<Id>
  readonly #abort: AbortController
  /** True if the service may have received it. */
  sent = false

  constructor(body: Buffer, requests: Iterable<Id>, abort = new AbortController()) {
    this.body = body
    this.unanswered = new Set(requests)
    this.#abort = abort
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Closes the connection without reporting anything more. */
  abort(): void {
    this.unanswered.clear()
    this.#abort.abort()
  }
}

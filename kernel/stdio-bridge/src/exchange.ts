import type { Id } from '@gateway/mcp/wire'

/** One message of the client, or one batch, on its way through the bridge. */
export class Exchange {
  /** The line as the client wrote it: it is forwarded, not written anew. */
  readonly body: Buffer
  /** The requests in it that have no answer yet. */
  readonly unanswered: Set<Id>
  readonly #abort: AbortController
  /** Whether the service may have it. */
  sent = false

  constructor(body: Buffer, requests: Iterable<Id>, abort = new AbortController()) {
    this.body = body
    this.unanswered = new Set(requests)
    this.#abort = abort
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Hangs up; nothing more is said about it. */
  abort(): void {
    this.unanswered.clear()
    this.#abort.abort()
  }
}

import type { EventStream } from './event-stream.ts'
import type { KeepAlive } from './keep-alive.ts'

/** Whose stream it is, and how the call behind it is stopped. */
export interface StreamOwner {
  readonly tenantId: string
  readonly stop: (why: Error) => void
}

/**
 * Every event stream that is open now, but for subscriptions without a handshake, which end with a result: they are kept
 * alive, and a blocked tenant’s end.
 */
export class LiveStreams {
  readonly #keepAlive: KeepAlive
  readonly #open = new Map<EventStream, StreamOwner>()

  constructor(keepAlive: KeepAlive) {
    this.#keepAlive = keepAlive
  }

  get size(): number {
    return this.#open.size
  }

  add(stream: EventStream, owner: StreamOwner): void {
    this.#open.set(stream, owner)
    this.#keepAlive.add(stream)
    stream.onClose(() => this.#open.delete(stream))
  }

  endTenant(tenantId: string, why: Error): void {
    for (const [stream, owner] of this.#open) {
      if (owner.tenantId !== tenantId) continue
      owner.stop(why)
      stream.end()
    }
  }
}

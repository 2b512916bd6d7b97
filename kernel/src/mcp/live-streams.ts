import type { EventStream } from './event-stream.ts'

/** Proxies and clients take a stream for dead after a minute of silence, some after half. */
export const KEEP_ALIVE_MS = 15_000

/** Whose stream it is, and how the call or the subscription behind it is stopped. */
export interface StreamOwner {
  readonly tenantId: string
  readonly stop: (why: Error) => void
}

/** Every event stream that is open now: one timer keeps all of them alive, and a blocked tenant’s end. */
export class LiveStreams {
  readonly #open = new Map<EventStream, StreamOwner>()

  get size(): number {
    return this.#open.size
  }

  add(stream: EventStream, owner: StreamOwner): void {
    this.#open.set(stream, owner)
    stream.onClose(() => this.#open.delete(stream))
  }

  keepAlive(): void {
    for (const stream of this.#open.keys()) if (!stream.full) stream.keepAlive()
  }

  endTenant(tenantId: string, why: Error): void {
    for (const [stream, owner] of this.#open) {
      if (owner.tenantId !== tenantId) continue
      owner.stop(why)
      stream.end()
    }
  }
}

import { Overloaded, shareOf } from '@gateway/kernel'
import type { EventStream } from './event-stream.ts'
import type { KeepAlive } from './keep-alive.ts'

/** Each is a connection and some kilobytes. */
const MAX_OPEN = 5_000

export interface StreamOwner {
  readonly tenantId: string
  readonly stop: (why: Error) => void
}

/**
 * Every open event stream, except stateless subscriptions, which end with a result: they are kept alive, and those of a blocked
 * tenant are ended.
 */
export class LiveStreams {
  readonly #keepAlive: KeepAlive
  readonly #open = new Map<EventStream, StreamOwner>()

  readonly #tenants = new Map<string, number>()
  readonly #isShared: () => boolean

  constructor(keepAlive: KeepAlive, admission: { readonly isShared: boolean } = { isShared: false }) {
    this.#keepAlive = keepAlive
    this.#isShared = () => admission.isShared
  }

  get size(): number {
    return this.#open.size
  }

  /** Must be called before another listening stream opens. Throws UNAVAILABLE; a tenant next to others has its share. */
  requireRoom(tenantId: string): void {
    const most = this.#isShared() ? shareOf(MAX_OPEN) : MAX_OPEN
    if (this.size < MAX_OPEN && (this.#tenants.get(tenantId) ?? 0) < most) return
    throw Overloaded({ message: `Too many open event streams: a tenant may have ${most}, the gateway ${MAX_OPEN}.`, retryAfterSeconds: 5 })
  }

  add(stream: EventStream, owner: StreamOwner): void {
    const { tenantId } = owner
    this.#open.set(stream, owner)
    this.#tenants.set(tenantId, (this.#tenants.get(tenantId) ?? 0) + 1)
    this.#keepAlive.add(stream)
    stream.onClose(() => this.#remove(stream, tenantId))
  }

  #remove(stream: EventStream, tenantId: string): void {
    if (!this.#open.delete(stream)) return
    const left = (this.#tenants.get(tenantId) ?? 0) - 1
    if (left > 0) this.#tenants.set(tenantId, left)
    else this.#tenants.delete(tenantId)
  }

  endTenant(tenantId: string, why: Error): void {
    for (const [stream, owner] of this.#open) {
      if (owner.tenantId !== tenantId) continue
      owner.stop(why)
      stream.end()
    }
  }
}

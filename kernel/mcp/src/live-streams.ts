import { Overloaded, shareOf } from '@gateway/kernel'
import type { EventStream } from './event-stream.ts'
import type { KeepAlive } from './keep-alive.ts'

/** A connection and some kilobytes each. */
const MAX_OPEN = 5_000

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

  readonly #tenants = new Map<string, number>()
  readonly #isShared: () => boolean

  constructor(keepAlive: KeepAlive, admission: { readonly isShared: boolean } = { isShared: false }) {
    this.#keepAlive = keepAlive
    this.#isShared = () => admission.isShared
  }

  get size(): number {
    return this.#open.size
  }

  /** To be asked before one more that only listens. Throws UNAVAILABLE; a tenant beside others has its share. */
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

import type { Gateway } from '@gateway/kernel'

const WATCHED = 'changes-watched'
const CHANGED = 'changed'
const BEGUN = 'changes-begun'
/** Heartbeat interval; peers stop publishing after three missed heartbeats. */
const HEARTBEAT_MS = 30_000

interface Parts {
  /** Called when someone begins or continues to watch on another node. */
  readonly onWatched: () => void
  /** Called when something has changed on another node. */
  readonly onChanged: (tenantId: string, collections: readonly string[]) => void
  /** Called when changes on another node may have gone unpublished. */
  readonly onGap: () => void
}

/**
 * The other nodes: each publishes its changes only while someone watches on another node. It learns that a moment after the watching began,
 * and says when it begins to publish, because its changes until then were told to nobody.
 */
export class RemoteWatchers {
  readonly #gateway: Pick<Gateway, 'relay' | 'clock'>
  #watchedUntil = 0
  #timer: NodeJS.Timeout | undefined

  constructor(gateway: Pick<Gateway, 'relay' | 'clock'>, { onWatched, onChanged, onGap }: Parts) {
    this.#gateway = gateway
    const { relay, clock } = gateway
    relay.subscribe(WATCHED, ({ tenantId }) => {
      const isFirst = !this.hasWatchers
      this.#watchedUntil = clock.now() + 3 * HEARTBEAT_MS
      onWatched()
      if (isFirst) relay.publish({ topic: BEGUN, tenantId })
    })
    relay.subscribe(BEGUN, onGap)
    relay.subscribe(CHANGED, ({ tenantId, data }) => onChanged(tenantId, data as readonly string[]))
    relay.onGap(onGap)
  }

  get hasWatchers(): boolean {
    return this.#gateway.clock.now() < this.#watchedUntil
  }

  /** Asks the other nodes to publish, for as long as someone watches here. */
  startHeartbeat(tenantId: string): void {
    const sendHeartbeat = (): void => this.#gateway.relay.publish({ topic: WATCHED, tenantId })
    if (this.#timer !== undefined) return
    sendHeartbeat()
    this.#timer = setInterval(sendHeartbeat, HEARTBEAT_MS).unref()
  }

  stopHeartbeat(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  publish(tenantId: string, collections: readonly string[]): void {
    this.#gateway.relay.publish({ topic: CHANGED, tenantId, data: collections })
  }
}

import type { Gateway } from '@gateway/kernel'

const WATCHED = 'changes-watched'
const CHANGED = 'changed'
/** Heartbeat interval; peers stop publishing after three missed heartbeats. */
const HEARTBEAT_MS = 30_000

interface Parts {
  /** Called when someone begins or continues to watch on another node. */
  readonly onWatched: () => void
  /** Called when something has changed on another node. */
  readonly onChanged: (tenantId: string, collections: readonly string[]) => void
  readonly onGap: () => void
}

/** The other nodes: each publishes its changes only while someone watches on another node. */
export class RemoteWatchers {
  readonly #gateway: Pick<Gateway, 'relay' | 'clock'>
  #watchedUntil = 0
  #timer: NodeJS.Timeout | undefined

  constructor(gateway: Pick<Gateway, 'relay' | 'clock'>, { onWatched, onChanged, onGap }: Parts) {
    this.#gateway = gateway
    const { relay, clock } = gateway
    relay.subscribe(WATCHED, () => {
      this.#watchedUntil = clock.now() + 3 * HEARTBEAT_MS
      onWatched()
    })
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

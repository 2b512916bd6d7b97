import type { Gateway } from '@gateway/kernel'

const WANTED = 'changes-wanted'
const CHANGED = 'changed'
/** Heartbeat interval; peers stop publishing after three missed heartbeats. */
const EVERY_MS = 30_000

interface Parts {
  /** Called when someone begins or continues to watch on another node. */
  readonly wanted: () => void
  /** Called when something has changed on another node. */
  readonly changed: (tenantId: string, collections: readonly string[]) => void
  readonly lost: () => void
}

/** The other nodes: each publishes its changes only while someone watches on another node. */
export class Elsewhere {
  readonly #gateway: Pick<Gateway, 'relay' | 'clock'>
  #wantedUntil = 0
  #timer: NodeJS.Timeout | undefined

  constructor(gateway: Pick<Gateway, 'relay' | 'clock'>, { wanted, changed, lost }: Parts) {
    this.#gateway = gateway
    const { relay, clock } = gateway
    relay.hear(WANTED, () => {
      this.#wantedUntil = clock.now() + 3 * EVERY_MS
      wanted()
    })
    relay.hear(CHANGED, ({ tenantId, data }) => changed(tenantId, data as readonly string[]))
    relay.onGap(lost)
  }

  get isWanted(): boolean {
    return this.#gateway.clock.now() < this.#wantedUntil
  }

  /** Asks the other nodes to publish, for as long as someone watches here. */
  want(tenantId: string): void {
    const ask = (): void => this.#gateway.relay.tell({ topic: WANTED, tenantId })
    if (this.#timer !== undefined) return
    ask()
    this.#timer = setInterval(ask, EVERY_MS).unref()
  }

  wantNoMore(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  tell(tenantId: string, collections: readonly string[]): void {
    this.#gateway.relay.tell({ topic: CHANGED, tenantId, data: collections })
  }
}

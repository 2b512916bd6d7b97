import type { Gateway } from '@gateway/kernel'

const WANTED = 'changes-wanted'
const CHANGED = 'changed'
/** How often it is said again that somebody watches here; whoever has not heard it for three times as long stops telling. */
const EVERY_MS = 30_000

interface Parts {
  /** Somebody elsewhere begins, or goes on, to watch. */
  readonly wanted: () => void
  /** Something has changed elsewhere. */
  readonly changed: (tenantId: string, collections: readonly string[]) => void
  readonly lost: () => void
}

/** The other nodes: each tells what changed only as long as somebody watches on another. */
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
    relay.onLost(lost)
  }

  get isWanted(): boolean {
    return this.#gateway.clock.now() < this.#wantedUntil
  }

  /** Ask the others to tell, for as long as somebody watches here. */
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

import type { Transaction } from '@gateway/sdk'

/** One thing that a node tells the others: its topic says who listens. */
export interface Note {
  readonly topic: string
  readonly tenantId: string
  /** JSON. */
  readonly data?: unknown
}

export type Hearer = (note: Note) => void | Promise<void>

/**
 * What gateways on one store tell one another, so that what each keeps in memory stays true:
 *
 * 1. a change that others remember is told in the transaction that makes it (`tellIn`): nobody can see the one without
 *    the other;
 * 2. an event that has happened is told soon after (`tell`);
 * 3. a node hears several times a second, and before it decides by what it remembers (`catchUp`).
 */
export interface Relay {
  readonly nodeId: string
  /** Called in a transaction of the kernel’s own tenant; heard when and only when it is committed. */
  tellIn(tx: Transaction, note: Note): Promise<void>
  /** Handed over; what cannot be stored is tried again, and dropped when there is too much of it. */
  tell(note: Note): void
  /** Resolves when it is stored: the others will hear it. */
  tellSurely(note: Note): Promise<void>
  /**
   * Resolves when everything has been heard that others told before this call; undefined when there are no others.
   * Rejects with UNAVAILABLE when the store does not answer.
   */
  catchUp(): Promise<void> | undefined
  hear(topic: string, hearer: Hearer): void
  /** Notes went by unheard: whoever remembers something forgets it, or reads it anew. */
  onLost(forget: () => void | Promise<void>): void
  start(): void
  /** Tells what is left, then falls silent. */
  stop(): Promise<void>
}

/** For a store that is this process’s alone: nobody to tell, nothing to hear. */
export function loneRelay(nodeId: string): Relay {
  return {
    nodeId,
    tellIn: async () => {},
    tell() {},
    tellSurely: async () => {},
    catchUp: () => undefined,
    hear() {},
    onLost() {},
    start() {},
    stop: async () => {},
  }
}

import type { Transaction } from '@gateway/sdk'

export interface RelayMessage {
  readonly topic: string
  readonly tenantId: string
  /** JSON. */
  readonly data?: unknown
}

/**
 * May read before the message counts as delivered, and must not write or wait for a change: every call of this node waits for the
 * messages before it.
 */
export type Subscriber = (message: RelayMessage) => void | Promise<void>

/**
 * Messages between gateways on one store, which keep their caches consistent:
 *
 * 1. A change that others cache is published in the transaction that makes it (`publishInTransaction`), so that neither is
 *    visible without the other.
 * 2. An event that has happened is published soon after (`publish`).
 * 3. A node receives messages several times a second, and before it decides from its cache (`catchUp`).
 */
export interface Relay {
  readonly nodeId: string
  /** Called in a transaction of any tenant. The message is delivered if and only if the transaction commits. */
  publishInTransaction(tx: Transaction, message: RelayMessage): Promise<void>
  /** Fire and forget: a message that cannot be stored is retried, and dropped when the backlog is full. */
  publish(message: RelayMessage): void
  /** Resolves when the message is stored and will be delivered. */
  publishDurably(message: RelayMessage): Promise<void>
  /**
   * Resolves when every message published by other nodes before this call has been delivered; undefined if there are no other
   * nodes. Rejects with UNAVAILABLE if the store does not answer.
   */
  catchUp(): Promise<void> | undefined
  /**
   * `own` delivers the messages of this node as well, in their turn. Topics of `publishInTransaction` need it: a node whose commit was
   * not answered does not know of its own change.
   */
  subscribe(topic: string, subscriber: Subscriber, options?: { readonly own: boolean }): void
  /** Messages were missed: drop or reload cached state. */
  onGap(forget: () => void | Promise<void>): void
  start(): void
  /** Publishes pending messages, then stops. */
  stop(): Promise<void>
}

/** Relay of a store that belongs to this process alone: there is no other node. */
export function localRelay(nodeId: string): Relay {
  return {
    nodeId,
    publishInTransaction: async () => {},
    publish() {},
    publishDurably: async () => {},
    catchUp: () => undefined,
    subscribe() {},
    onGap() {},
    start() {},
    stop: async () => {},
  }
}

import type { GatewayNode } from '@gateway/sdk'
import type { Relay } from './relay.ts'

/** Which gateways live on this store. */
export interface Presence {
  /** Ids of the nodes that live, this one among them. */
  alive(): Promise<readonly string[]>
  /** The same, with where they run. */
  list(): Promise<readonly GatewayNode[]>
  /** Told when nodes have died, with those that still live: what the dead ones left is anybody’s. */
  onGone(listener: (alive: readonly string[]) => Promise<void>): void
  start(): void
  stop(): Promise<void>
}

/** This process among those on its store. */
export interface Nodes {
  readonly relay: Relay
  readonly presence: Presence
  start(): void
  stop(): Promise<void>
}

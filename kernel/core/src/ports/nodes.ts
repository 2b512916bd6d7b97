import type { GatewayNode } from '@gateway/sdk'
import type { Relay } from './relay.ts'

/** Reports which gateways live on this store. */
export interface Presence {
  /** Ids of the live nodes, including this one. */
  alive(): Promise<readonly string[]>
  /** The live nodes with their host and process. */
  list(): Promise<readonly GatewayNode[]>
  /** Notifies that nodes have died, with the live ones, so that the work of the dead can be taken over. */
  onNodesLost(listener: (alive: readonly string[]) => Promise<void>): void
  start(): void
  stop(): Promise<void>
}

/** This process among the nodes of its store. */
export interface Nodes {
  readonly relay: Relay
  readonly presence: Presence
  start(): void
  stop(): Promise<void>
}

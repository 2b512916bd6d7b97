import type { GatewayNode } from '@gateway/sdk'
import type { Relay } from './relay.ts'

export interface Presence {
  /** Ids of the live nodes, including this one. */
  alive(): Promise<readonly string[]>
  list(): Promise<readonly GatewayNode[]>
  /** Notifies that nodes have died, with the live ones, so that the work of the dead can be taken over. */
  onNodesLost(listener: (alive: readonly string[]) => Promise<void>): void
  start(): void
  stop(): Promise<void>
}

export interface Nodes {
  readonly relay: Relay
  readonly presence: Presence
  start(): void
  stop(): Promise<void>
}

import type { Logger } from 'pino'
import { newId } from '../ids.ts'
import type { Store } from '../storage/port.ts'
import { lonePresence, openPresence, type Presence } from './presence.ts'
import { loneRelay, type Relay } from './relay.ts'
import { openSharedRelay } from './shared-relay.ts'

/** This process among those on its store. */
export interface Nodes {
  readonly relay: Relay
  readonly presence: Presence
  start(): void
  stop(): Promise<void>
}

export async function openNodes({ store, log }: { store: Store; log: Logger }): Promise<Nodes> {
  const nodeId = newId('node-', Date.now())
  const relay = store.shared ? await openSharedRelay({ store, nodeId, log }) : loneRelay(nodeId)
  const presence = store.shared ? await openPresence({ store, nodeId, log }) : lonePresence(nodeId)
  return {
    relay,
    presence,
    start() {
      relay.start()
      presence.start()
    },
    async stop() {
      await relay.stop()
      await presence.stop()
    },
  }
}

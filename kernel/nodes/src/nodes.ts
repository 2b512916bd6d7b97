import { localRelay, type Nodes, newId } from '@gateway/kernel'
import type { Store } from '@gateway/storage'
import type { Logger } from 'pino'
import { localPresence, openPresence } from './presence.ts'
import { openSharedRelay } from './shared-relay.ts'

/** `folder` is the id of the data folder, where several nodes share a store. */
export async function openNodes({ store, log, folder }: { store: Store; log: Logger; folder?: string }): Promise<Nodes> {
  const nodeId = newId('node-', Date.now())
  const relay = store.shared ? await openSharedRelay({ store, nodeId, log }) : localRelay(nodeId)
  const presence = store.shared
    ? await openPresence({ store, nodeId, log, ...(folder !== undefined && { folder }) })
    : localPresence(nodeId, await store.now())
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

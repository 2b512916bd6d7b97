import { localRelay, type Nodes, newId } from '@gateway/kernel'
import type { Store } from '@gateway/storage'
import type { Logger } from 'pino'
import type { Folder } from './folder-copies.ts'
import { localPresence, openPresence } from './presence.ts'
import { openSharedRelay } from './shared-relay.ts'

/** `folder` is the data folder, where several nodes share a store. */
export async function openNodes({ store, log, folder }: { store: Store; log: Logger; folder?: Folder }): Promise<Nodes> {
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

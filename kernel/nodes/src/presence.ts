import { hostname } from 'node:os'
import type { Presence } from '@gateway/kernel'
import { type GatewayNode, now } from '@gateway/sdk'
import { KERNEL_TENANT, type Store } from '@gateway/storage'
import type { Logger } from 'pino'
import { type NodeRecord, nodeRecords } from './collections.ts'
import { type Folder, FolderCopies } from './folder-copies.ts'

const HEARTBEAT_MS = 10_000
/** A node without a heartbeat for this long is dead: three heartbeats may be late. */
const DEAD_AFTER_SECONDS = 40
const MAX_NODES = 1_000

/** For a store that no other process opens. */
export function localPresence(nodeId: string, startedAt: Date): Presence {
  const self: GatewayNode = { nodeId, host: hostname(), pid: process.pid, startedAt: startedAt.toISOString(), self: true }
  return { alive: async () => [nodeId], list: async () => [self], onNodesLost() {}, start() {}, stop: async () => {} }
}

interface PresenceParts {
  readonly store: Store
  readonly nodeId: string
  readonly log: Logger
  /** The data folder; nodes whose folders have the same id run on copies of it. */
  readonly folder?: Folder
}

export async function openPresence({ store, nodeId, log, folder }: PresenceParts): Promise<Presence> {
  const records = store.collection<NodeRecord>(nodeRecords, KERNEL_TENANT)
  const listeners: ((alive: readonly string[]) => Promise<void>)[] = []
  const startedAt = (await store.now()).toISOString()
  let known = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let pendingHeartbeat: Promise<void> | undefined
  let isFailing = false

  async function sendHeartbeat(): Promise<void> {
    const aliveUntil = new Date((await store.now()).getTime() + DEAD_AFTER_SECONDS * 1_000).toISOString()
    await records.upsert(
      {
        nodeId,
        host: hostname(),
        pid: process.pid,
        startedAt,
        aliveUntil,
        ...(folder !== undefined && { folder: folder.id, folderPath: folder.path }),
      },
      { set: { aliveUntil: now(DEAD_AFTER_SECONDS) } },
    )
  }

  async function liveNodes(): Promise<readonly NodeRecord[]> {
    return (await records.find({ where: { aliveUntil: { gt: now() } }, sort: { aliveUntil: 1 }, limit: MAX_NODES })).items
  }

  const alive = async (): Promise<readonly string[]> => (await liveNodes()).map((node) => node.nodeId)

  const copies = folder === undefined ? undefined : new FolderCopies(nodeId, folder, log)

  async function list(): Promise<readonly GatewayNode[]> {
    return (await liveNodes()).map(({ aliveUntil: _aliveUntil, folder: _folder, folderPath: _path, ...node }) => ({
      ...node,
      self: node.nodeId === nodeId,
    }))
  }

  async function heartbeat(): Promise<void> {
    try {
      await sendHeartbeat()
      const nodes = await liveNodes()
      copies?.look(nodes)
      const ids = nodes.map((node) => node.nodeId)
      const someDied = [...known].some((node) => !ids.includes(node))
      if (someDied) for (const listener of listeners) await listener(ids)
      // Set last: after a fault they are reported again at the next heartbeat.
      known = new Set(ids)
      if (isFailing) log.info('the heartbeat of this node works again')
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'the heartbeat of this node failed')
      isFailing = true
    }
  }

  copies?.refuse(await liveNodes())
  await sendHeartbeat()
  return {
    alive,
    list,
    onNodesLost: (listener) => void listeners.push(listener),
    start() {
      timer ??= setInterval(() => void (pendingHeartbeat = heartbeat()), HEARTBEAT_MS).unref()
    },
    async stop() {
      clearInterval(timer)
      await pendingHeartbeat
      await records.deleteOne(nodeId).catch((error: unknown) => log.warn({ err: error }, 'this node could not remove its heartbeat record'))
    },
  }
}

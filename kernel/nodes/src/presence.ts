import { hostname } from 'node:os'
import type { Presence } from '@gateway/kernel'
import { now } from '@gateway/sdk'
import { KERNEL_TENANT, type Store } from '@gateway/storage'
import type { Logger } from 'pino'
import { type NodeRecord, nodeRecords } from './collections.ts'

const BEAT_MS = 10_000
/** A node that has not been heard of for this long is gone: three beats may be late. */
const GONE_AFTER_SECONDS = 40
const MAX_NODES = 1_000

export function lonePresence(nodeId: string): Presence {
  return { alive: async () => [nodeId], onGone() {}, start() {}, stop: async () => {} }
}

export async function openPresence({ store, nodeId, log }: { store: Store; nodeId: string; log: Logger }): Promise<Presence> {
  const records = store.collection<NodeRecord>(nodeRecords, KERNEL_TENANT)
  const listeners: ((alive: readonly string[]) => Promise<void>)[] = []
  const startedAt = (await store.now()).toISOString()
  let known = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let beating: Promise<void> | undefined

  async function beat(): Promise<void> {
    const aliveUntil = new Date((await store.now()).getTime() + GONE_AFTER_SECONDS * 1_000).toISOString()
    await records.upsert(
      { nodeId, host: hostname(), pid: process.pid, startedAt, aliveUntil },
      { set: { aliveUntil: now(GONE_AFTER_SECONDS) } },
    )
  }

  async function alive(): Promise<readonly string[]> {
    const { items } = await records.find({ where: { aliveUntil: { gt: now() } }, sort: { aliveUntil: 1 }, limit: MAX_NODES })
    return items.map((node) => node.nodeId)
  }

  async function beatAndLook(): Promise<void> {
    try {
      await beat()
      const living = await alive()
      const someWent = [...known].some((node) => !living.includes(node))
      if (someWent) for (const listener of listeners) await listener(living)
      // Last: after a fault they are missed again at the next beat.
      known = new Set(living)
    } catch (error) {
      log.warn({ err: error }, 'this node could not say that it lives')
    }
  }

  await beat()
  return {
    alive,
    onGone: (listener) => void listeners.push(listener),
    start() {
      timer ??= setInterval(() => void (beating = beatAndLook()), BEAT_MS).unref()
    },
    async stop() {
      clearInterval(timer)
      await beating
      await records.deleteOne(nodeId).catch((error: unknown) => log.warn({ err: error }, 'this node could not say that it leaves'))
    },
  }
}

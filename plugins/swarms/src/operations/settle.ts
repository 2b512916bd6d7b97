import { atomically, now, type Resolved } from '@gateway/sdk'
import { isFinished } from '../rules/progress.ts'
import type { Child, Swarm } from '../schema.ts'
import { childOf, readUses, unknownSwarm } from './view.ts'

export const settleUses = { ...readUses, atomically }
type Refs = Resolved<typeof settleUses>

/** Returns the swarm; an active one whose children are all finished becomes done first. Reading it again changes nothing. */
export async function readSwarm(refs: Refs, swarmId: string): Promise<{ swarm: Swarm; children: Child[] }> {
  const [swarm, children] = await Promise.all([refs.swarms.get(swarmId), refs.queue.children(swarmId)])
  if (!swarm) throw unknownSwarm(swarmId)
  const settled = isFinished(swarm, children) ? await settle(refs, swarmId) : undefined
  return settled ?? { swarm, children: children.map(childOf) }
}

function settle(refs: Refs, swarmId: string): Promise<{ swarm: Swarm; children: Child[] } | undefined> {
  return refs.atomically(async (tx) => {
    const swarm = await refs.swarms.in(tx).get(swarmId)
    if (!swarm) return undefined
    const children = await refs.queue.children(swarmId, tx)
    const done = isFinished(swarm, children)
      ? await refs.swarms.in(tx).updateOne(swarmId, { set: { status: 'done', completedAt: now(), updatedAt: now() } })
      : undefined
    return { swarm: done ?? swarm, children: children.map(childOf) }
  })
}

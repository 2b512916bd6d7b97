import { type Task, taskQueue } from '@gateway/plugin-tasks/api'
import { defined, NotFound, type Resolved } from '@gateway/sdk'
import { swarms } from '../collections.ts'
import { displayStatus } from '../rules/progress.ts'
import type { Child, Swarm } from '../schema.ts'

export const readUses = { swarms, queue: taskQueue }

export function childOf({ taskId, title, status, assignedAgent, priority, dependsOn, claimedBy, prUrl }: Task): Child {
  return {
    taskId,
    title,
    status,
    displayStatus: displayStatus(status),
    ...defined({ agent: assignedAgent }),
    priority,
    dependsOn,
    ...defined({ claimedBy, prUrl }),
  }
}

export const unknownSwarm = (swarmId: string): Error => NotFound({ what: 'swarm', id: swarmId })

export async function answer(
  { queue }: Pick<Resolved<typeof readUses>, 'queue'>,
  swarm: Swarm,
): Promise<{ swarm: Swarm; children: Child[] }> {
  return { swarm, children: (await queue.children(swarm.swarmId)).map(childOf) }
}

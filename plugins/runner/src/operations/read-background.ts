import type { ServiceClient } from '@gateway/sdk'
import type { Background } from '../rules/prompt.ts'
import type { Task } from '../schema.ts'
import { branchOf } from './worktree.ts'

/** Number of dependencies that an agent is told about. All of them are in its branch. */
const MAX_UPSTREAM = 20

/** Reads the goal that a task serves and the work that it depends on. Parts that cannot be read are left out. */
export async function readBackground(client: ServiceClient, { swarmId, dependsOn = [] }: Task): Promise<Background> {
  const read = (path: string): Promise<unknown> => client.get(path).catch(() => undefined)
  const [swarm, upstream] = await Promise.all([
    swarmId === undefined
      ? undefined
      : (read(`/api/swarms/${encodeURIComponent(swarmId)}`) as Promise<{ swarm: { goal: string } } | undefined>),
    Promise.all(
      dependsOn
        .slice(0, MAX_UPSTREAM)
        .map((taskId) => read(`/api/tasks/${encodeURIComponent(taskId)}`) as Promise<{ task: Task } | undefined>),
    ),
  ])
  return {
    ...(swarm && { goal: swarm.swarm.goal }),
    upstream: upstream.flatMap((found) => (found ? [{ ...found.task, branch: branchOf(found.task) }] : [])),
  }
}

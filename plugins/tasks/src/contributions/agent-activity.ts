import { agentActivity, contribute } from '@gateway/sdk'
import { tasks } from '../collections.ts'
import { taskDeed } from '../rules/task-deed.ts'
import type { Status } from '../schema.ts'

/** Workers that are the gateway's own cycle claim as `dispatch/<agent>`. */
const namesOf = (name: string): string[] => [name, `dispatch/${name}`]

/** Tasks that a worker has claimed, finished, or failed at last. */
export const workOfAgents = contribute(agentActivity, {
  uses: { tasks },
  create: ({ tasks }) => ({
    async of({ name, limit }) {
      const latest = async (statuses: readonly Status[], more: object = {}) => {
        const pages = await Promise.all(
          namesOf(name).flatMap((workedBy) =>
            statuses.map((status) => tasks.find({ where: { workedBy, status, ...more }, sort: { updatedAt: -1 }, limit })),
          ),
        )
        return pages.flatMap(({ items }) => items.map(taskDeed))
      }
      const [holds, did, failed] = await Promise.all([
        latest(['working']),
        latest(['done', 'review']),
        latest(['dead_letter', 'pending', 'blocked'], { lastError: { ne: null } }),
      ])
      return { holds, did, failed }
    },
  }),
})

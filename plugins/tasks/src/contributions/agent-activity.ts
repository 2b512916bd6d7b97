import { type AgentDeed, agentActivity, contribute, cutText, repoActivity } from '@gateway/sdk'
import { tasks } from '../collections.ts'
import { PRIORITIES, type Status, type Task } from '../schema.ts'

const MAX_ERROR = 500
/** Workers that are the gateway's own cycle claim as `dispatch/<agent>`. */
const namesOf = (name: string): string[] => [name, `dispatch/${name}`]

const deed = ({ taskId, title, updatedAt, claimedAt, completedAt, leaseUntil, lastError, status }: Task): AgentDeed => ({
  kind: 'task',
  id: taskId,
  title,
  page: `/tasks/${encodeURIComponent(taskId)}`,
  at: (status === 'working' ? claimedAt : completedAt) ?? updatedAt,
  ...(status === 'working' && leaseUntil !== undefined && { until: leaseUntil }),
  ...(status !== 'done' && status !== 'review' && lastError !== undefined && { error: cutText(lastError, MAX_ERROR) }),
})

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
        return pages.flatMap(({ items }) => items.map(deed))
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

/** Tasks of a repo that are claimed, ended, or failed at last. */
export const workInRepos = contribute(repoActivity, {
  uses: { tasks },
  create: ({ tasks }) => ({
    async of({ name: repo, limit }) {
      // One query for each priority, because the index has it before the time.
      const latest = async (stages: readonly Task['stage'][]) => {
        const ranges = stages.flatMap((stage) => PRIORITIES.map((priority) => ({ repo, stage, priority })))
        const pages = await Promise.all(ranges.map((where) => tasks.find({ where, sort: { createdAt: -1 }, limit })))
        return pages.flatMap(({ items }) => items.map(deed))
      }
      const [holds, did, failed] = await Promise.all([latest(['working']), latest(['done', 'review']), latest(['dead_letter', 'blocked'])])
      return { holds, did, failed }
    },
  }),
})

import { type Collection, provide } from '@gateway/sdk'
import { type Stuck, type TaskFigures, taskFigures } from './api.ts'
import { tasks } from './collections.ts'
import { PENDING_STAGES, STATUSES, type Status, type Task } from './schema.ts'

const MAX_COUNT = 10_000
const STUCK = ['blocked', 'dead_letter'] as const

export const figuresProvider = provide(taskFigures, { uses: { tasks }, create: ({ tasks }) => figuresOf(tasks) })

export function figuresOf(tasks: Collection<Task>): TaskFigures {
  const countOf = (status: Status): Promise<number> =>
    tasks.count({ stage: status === 'pending' ? { in: PENDING_STAGES } : status }, { max: MAX_COUNT })
  return {
    async byStatus() {
      const counts = await Promise.all(STATUSES.map(async (status) => [status, await countOf(status)] as const))
      return { counts: Object.fromEntries(counts) as Record<Status, number>, countsStopAt: MAX_COUNT }
    },
    async stuck() {
      const where = { stage: { in: STUCK } }
      if ((await tasks.count(where, { max: MAX_COUNT })) >= MAX_COUNT) return undefined
      const groups = await tasks.group({ where, by: ['repo', 'stage'] })
      return groups.map(({ key: [repo, stage], count }) => ({ repo, stage, count }) as Stuck)
    },
  }
}

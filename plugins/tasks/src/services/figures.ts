import { type Collection, provide } from '@gateway/sdk'
import { type Stuck, type TaskFigures, taskFigures } from '../api.ts'
import { tasks } from '../collections.ts'
import { PENDING_STAGES, STATUSES, type Status, type Task } from '../schema.ts'

const MAX_COUNT = 10_000
const MAX_OPEN = 1_000
const OPEN = [...PENDING_STAGES, 'working', 'review', 'blocked', 'paused', 'dead_letter'] as const
const MAX_LISTED = 500
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
    async open(repo) {
      const [open, stuck] = await Promise.all(
        [OPEN, STUCK].map((stages) => tasks.count({ repo, stage: { in: stages } }, { max: MAX_OPEN })),
      )
      return { open: open ?? 0, stuck: stuck ?? 0 }
    },
    async openByRepo() {
      const where = { stage: { in: OPEN } }
      if ((await tasks.count(where, { max: MAX_COUNT })) >= MAX_COUNT) return undefined
      const repos = new Map<string, { repo: string; open: number; stuck: number }>()
      for (const { key, count } of await tasks.group({ where, by: ['repo', 'stage'] })) {
        const [repo, stage] = key as [string, Task['stage']]
        const known = repos.get(repo) ?? { repo, open: 0, stuck: 0 }
        repos.set(repo, known)
        known.open += count
        if ((STUCK as readonly string[]).includes(stage)) known.stuck += count
      }
      return [...repos.values()]
    },
    async completedSince(since) {
      const where = { completedAt: { gte: since }, stage: 'done' } as const
      const { items } = await tasks.find({ where, sort: { completedAt: -1 }, limit: MAX_LISTED })
      return { tasks: items, count: items.length < MAX_LISTED ? items.length : await tasks.count(where, { max: MAX_COUNT }) }
    },
    async stuck() {
      const where = { stage: { in: STUCK } }
      if ((await tasks.count(where, { max: MAX_COUNT })) >= MAX_COUNT) return undefined
      const groups = await tasks.group({ where, by: ['repo', 'stage'] })
      return groups.map(({ key: [repo, stage], count }) => ({ repo, stage, count }) as Stuck)
    },
  }
}

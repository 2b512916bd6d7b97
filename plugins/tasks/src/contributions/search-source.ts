import { contribute, searchSource } from '@gateway/sdk'
import { nearest } from '@gateway/sdk/near'
import { tasks } from '../collections.ts'
import { PENDING_STAGES, type Task } from '../schema.ts'

/** Tasks that somebody may look for although a word is mistyped: the head of each stage that is not over. */
const RECENT = 100
const OPEN = ['working', 'review', 'blocked', 'dead_letter', ...PENDING_STAGES] as const

/** Finds tasks by the words of their texts, by their id, and with typing errors among those at the head of the queue. */
export const taskSearch = contribute(searchSource, {
  uses: { tasks },
  create: ({ tasks }) => ({
    kind: 'task',
    async find(query, limit) {
      const [byId, byWords, ...heads] = await Promise.all([
        tasks.get(query.trim()),
        tasks.search({ text: query, limit }),
        ...OPEN.map((stage) => tasks.find({ where: { stage }, sort: { priority: 1, createdAt: 1 }, limit: RECENT })),
      ])
      const near = nearest(
        query,
        heads.flatMap(({ items }) => items),
        ({ title, repo }) => `${title} ${repo}`,
        limit,
      )
      const found = new Map<string, Task>()
      for (const task of [...(byId ? [byId] : []), ...byWords.map(({ item }) => item), ...near]) found.set(task.taskId, task)
      return [...found.values()].slice(0, limit).map(({ taskId, title, repo, status, updatedAt }) => ({
        id: taskId,
        title,
        text: `${status.replace('_', ' ')} in ${repo}`,
        at: updatedAt,
        link: { to: '/tasks/:taskId', with: { taskId } },
      }))
    },
    titles: async (ids) => Object.fromEntries((await tasks.getMany(ids)).map(({ taskId, title }) => [taskId, title])),
  }),
})

import { contribute, repoActivity } from '@gateway/sdk'
import { tasks } from '../collections.ts'
import { taskDeed } from '../rules/task-deed.ts'
import { PRIORITIES, type Task } from '../schema.ts'

/** Tasks of a repo that are claimed, ended, or failed at last. */
export const workInRepos = contribute(repoActivity, {
  uses: { tasks },
  create: ({ tasks }) => ({
    async of({ name: repo, limit }) {
      // Each priority needs its own query, because the index has it before the time.
      const latest = async (stages: readonly Task['stage'][]) => {
        const ranges = stages.flatMap((stage) => PRIORITIES.map((priority) => ({ repo, stage, priority })))
        const pages = await Promise.all(ranges.map((where) => tasks.find({ where, sort: { createdAt: -1 }, limit })))
        return pages.flatMap(({ items }) => items.map(taskDeed))
      }
      const [holds, did, failed] = await Promise.all([latest(['working']), latest(['done', 'review']), latest(['dead_letter', 'blocked'])])
      return { holds, did, failed }
    },
  }),
})

import { codeHosting } from '@gateway/plugin-webhooks/api'
import { contribute } from '@gateway/sdk'
import { changeUses, writeChange } from '../operations/change.ts'
import { isOfRepo, mentionedTasks } from '../rules/mentioned.ts'

/** A pull request that names a task of its repo, in its branch, title or text, becomes the task's `prUrl`. */
export const pullRequests = contribute(codeHosting, {
  uses: changeUses,
  create: (refs) => ({
    async pullRequest({ url, repo, branch, title, text }, tx) {
      const changed: string[] = []
      for (const taskId of mentionedTasks(branch, title, text)) {
        const task = await refs.tasks.in(tx).get(taskId)
        if (!task || task.prUrl === url || !isOfRepo(task.repo, repo)) continue
        await writeChange(refs, task, { ...task, prUrl: url }, tx)
        changed.push(taskId)
      }
      return changed
    },
  }),
})

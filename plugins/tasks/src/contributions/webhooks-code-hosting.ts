import { codeHosting } from '@gateway/plugin-webhooks/api'
import { contribute } from '@gateway/sdk'
import { changeUses, writeChange } from '../operations/change.ts'
import { failCheck, failCheckUses } from '../operations/fail-check.ts'
import { noteReview, noteReviewUses } from '../operations/note-review.ts'
import { endsUses, recordEnd } from '../operations/pull-request-ends.ts'
import { tasksOfPullRequests } from '../operations/pull-request-tasks.ts'
import { isOwnBranch } from '../rules/mentioned.ts'
import { ended, isClosed } from '../rules/merge.ts'
import { pullRequestKey } from '../rules/pull-request-key.ts'

/**
 * A pull request that names a task of its repo, in its branch, title or text, becomes the task's `prUrl` if it has none; its end moves
 * the tasks that have it as `prUrl`, also those that name it later. The pull request of the branch `task/<id>` alone replaces another one, unless it was closed
 * without a merge; any takes the place of one that was closed. One from outside the repo is not heard before somebody has made it the `prUrl`. A check that fails, and a review, are noted on
 * the tasks; a review that requests changes sends them back.
 */
export const pullRequests = contribute(codeHosting, {
  uses: { ...changeUses, ...failCheckUses, ...noteReviewUses, ...endsUses },
  create: (refs) => ({
    async pullRequest({ url, repo, branch, title, text, state, isInside }, tx) {
      const changed: string[] = []
      const key = pullRequestKey(url)
      await recordEnd(refs, url, state, tx)
      const { named, mentioned } = await tasksOfPullRequests(refs, { urls: [url], repo, texts: isInside ? [branch, title, text] : [] }, tx)
      for (const task of [...named, ...mentioned]) {
        const isItsOwn = task.prUrl !== undefined && pullRequestKey(task.prUrl) === key
        const mayReplace = isOwnBranch(branch, task.taskId) || (state === 'open' && isClosed(task))
        const replaces = task.prUrl === undefined || (state !== 'closed' && mayReplace)
        if (!isItsOwn && !replaces) continue
        const next = isItsOwn ? task : { ...task, prUrl: url }
        const after = await writeChange(refs, task, refs.config.mergeCompletes ? ended(next, { url, state }, tx.now) : next, tx)
        if (after !== task) changed.push(task.taskId)
      }
      return changed
    },
    async checked(check, tx) {
      if (!check.failed) return []
      const { repo, pullRequests: urls, branch = '' } = check
      const { named, mentioned } = await tasksOfPullRequests(refs, { urls, repo, texts: [branch] }, tx)
      const changed: string[] = []
      for (const task of [...named, ...mentioned]) if (await failCheck(refs, task, check, tx)) changed.push(task.taskId)
      return changed
    },
    async reviewed(review, tx) {
      const { repo, pullRequest, branch } = review
      const { named, mentioned } = await tasksOfPullRequests(refs, { urls: [pullRequest], repo, texts: [branch] }, tx)
      const changed: string[] = []
      const own = mentioned.filter(({ taskId, prUrl }) => prUrl === undefined || isOwnBranch(branch, taskId))
      for (const task of [...named, ...own]) if (await noteReview(refs, task, review, tx)) changed.push(task.taskId)
      return changed
    },
  }),
})

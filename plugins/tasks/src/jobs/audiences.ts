import { defineJob, pages } from '@gateway/sdk'
import { tasks } from '../collections.ts'
import { announceClaimable, taskClaimable } from '../operations/claimable.ts'
import { addressedLike } from '../operations/selection.ts'
import { ANY, ASSIGNED_TO, audience } from '../rules/stage.ts'

/** Ready tasks of an agent whose audience names no model, although the task does: an earlier version has stored them. */
const modelOmitted = {
  where: { readyFor: { prefix: `${ANY}${ASSIGNED_TO}` }, recommendedModel: { exists: true } },
  sort: { readyFor: 1, repo: 1, priority: 1, createdAt: 1 },
  limit: 200,
} as const

/**
 * Gives ready tasks of earlier versions the audience that they would have today. An hourly look reads the ready tasks that are assigned
 * to an agent and no others.
 */
export const audiences = defineJob('tasks.audiences', {
  everySeconds: 3_600,
  uses: { tasks, claimable: taskClaimable },
  async run({ tasks, claimable }, { signal }): Promise<{ derived: number }> {
    let derived = 0
    for await (const items of pages(tasks, modelOmitted)) {
      for (const task of items) {
        const readyFor = audience(task)
        if (readyFor === task.readyFor) continue
        const changed = await tasks.updateOne(task.taskId, { set: { readyFor } }, { stage: 'ready', ...addressedLike(task) })
        if (!changed) continue
        announceClaimable(claimable, changed)
        derived++
      }
      if (signal.aborted) break
    }
    return { derived }
  },
})

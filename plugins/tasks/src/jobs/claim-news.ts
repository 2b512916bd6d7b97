import { atomically, defineJob, dueIn } from '@gateway/sdk'
import { tasks } from '../collections.ts'
import { claimedNews, taskClaimed } from '../operations/news.ts'

const untold = { claimNews: true } as const
/** Claims told in one transaction: few, so that claimers get in between. */
const BATCH = 50

/**
 * Publishes claims as events. A claim stays one atomic step of the store: it marks the task, and this job publishes the event
 * soon after and removes the mark, in one transaction. A claim is therefore published exactly once, also after a kill.
 */
export const claimNews = defineJob('tasks.claim-news', {
  everySeconds: 0.5,
  due: [dueIn(tasks, untold)],
  uses: { tasks, claimed: taskClaimed, atomically },
  async run({ tasks, claimed, atomically }, { signal }): Promise<{ published: number }> {
    let published = 0
    for (let found = BATCH; found === BATCH && !signal.aborted; ) {
      const { items } = await tasks.find({ where: untold, sort: { claimedAt: 1 }, limit: BATCH })
      found = items.length
      if (found === 0) break
      published += await atomically(async (tx) => {
        let here = 0
        for (const { taskId } of items) {
          // Unset by the move that ended the claim, which has reported it.
          const task = await tasks.in(tx).updateOne(taskId, { unset: ['claimNews'] }, untold)
          if (!task) continue
          await claimed.emit(claimedNews(task), tx)
          here++
        }
        return here
      })
    }
    return { published }
  },
})

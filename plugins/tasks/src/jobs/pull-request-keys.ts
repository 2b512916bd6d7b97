import { defineJob } from '@gateway/sdk'
import { tasks } from '../collections.ts'
import { pullRequestKey } from '../rules/pull-request-key.ts'

/** Tasks that an earlier version has stored. */
const withoutKey = { prUrl: { exists: true }, prKey: null } as const
/** Tasks read at once. */
const BATCH = 200

/** Gives tasks of earlier versions the key of their pull request. An hourly look finds nothing when all have one. */
export const pullRequestKeys = defineJob('tasks.pull-request-keys', {
  everySeconds: 3_600,
  uses: { tasks },
  async run({ tasks }, { signal }): Promise<{ named: number }> {
    let named = 0
    for (let found = BATCH; found === BATCH && !signal.aborted; ) {
      const { items } = await tasks.find({ where: withoutKey, limit: BATCH })
      found = items.length
      for (const { taskId, prUrl = '' } of items) {
        // A change that was made meanwhile has set the key.
        if (await tasks.updateOne(taskId, { set: { prKey: pullRequestKey(prUrl) } }, { prUrl, prKey: null })) named++
      }
    }
    return { named }
  },
})

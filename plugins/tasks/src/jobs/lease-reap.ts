import { defineJob, now } from '@gateway/sdk'
import { failUses, releaseExpired } from '../operations/fail.ts'
import { hasLapsed } from '../rules/lapsed.ts'

export interface Reaped {
  readonly released: number
  readonly requeued: number
  readonly deadLettered: number
  readonly taskIds: string[]
}

const PAGE = 200

/** Returns the tasks of vanished workers to the queue. Each takes its own transaction, so that claimers get in between. */
export const leaseReap = defineJob('tasks.lease-reap', {
  everySeconds: 30,
  uses: failUses,
  async run(refs, ctx): Promise<Reaped> {
    const taskIds: string[] = []
    let deadLettered = 0
    for (let cursor: string | undefined; !ctx.signal.aborted; ) {
      const expired = { where: { leaseUntil: { lte: now() } }, sort: { leaseUntil: 1 }, limit: PAGE } as const
      const page = await refs.tasks.find(cursor === undefined ? expired : { ...expired, cursor })
      for (const { taskId } of page.items.filter((task) => hasLapsed(task, ctx.now(), refs.gateway.startedAt))) {
        try {
          const task = await releaseExpired(refs, taskId)
          if (!task) continue
          taskIds.push(taskId)
          if (task.status === 'dead_letter') deadLettered++
        } catch (error) {
          // A task that cannot be released must not stop the release of the others.
          ctx.log.error('a task whose lease ran out could not be released', { taskId, err: error })
        }
      }
      cursor = page.nextCursor
      if (cursor === undefined) break
    }
    return { released: taskIds.length, requeued: taskIds.length - deadLettered, deadLettered, taskIds }
  },
})

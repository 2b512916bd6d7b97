import { defineJob, dueIn, pages } from '@gateway/sdk'
import { recurringTasks } from '../collections.ts'
import { due, fireDue, fireUses } from '../operations/fire.ts'

export interface Swept {
  readonly fired: number
  readonly enqueued: number
  readonly skipped: number
  readonly taskIds: string[]
}

/** Number of templates committed together. */
const PAGE = 50

/** Fires the templates that are due. Twice a second, so that a task is in the queue less than a second late. */
export const sweep = defineJob('recurring.sweep', {
  everySeconds: 0.5,
  activeTenantsOnly: true,
  due: [dueIn(recurringTasks, due.where)],
  uses: fireUses,
  async run(refs, ctx): Promise<Swept> {
    const taskIds: string[] = []
    let skipped = 0
    for await (const items of pages(refs.recurringTasks, { ...due, limit: PAGE })) {
      await Promise.all(
        items.map(async (template) => {
          try {
            const fired = await fireDue(refs, template)
            if (fired?.task) taskIds.push(fired.task.taskId)
            else if (fired) skipped++
          } catch (error) {
            // A template that fails must not delay the others.
            ctx.log.error('a recurring task could not be enqueued', { recurringId: template.recurringId, err: error })
          }
        }),
      )
      if (ctx.signal.aborted) break
    }
    return { fired: taskIds.length + skipped, enqueued: taskIds.length, skipped, taskIds }
  },
})

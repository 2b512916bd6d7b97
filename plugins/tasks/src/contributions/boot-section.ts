import { bootSection, contribute, type Filter } from '@gateway/sdk'
import { tasks } from '../collections.ts'
import { due } from '../operations/promote.ts'
import type { Task } from '../schema.ts'

const MAX_COUNT = 1_000

/** State of the queue in two lines of an agent's first context. Counting stops at a bound: beyond it only “many” matters. */
export const bootSummary = contribute(bootSection, {
  uses: { tasks },
  create: ({ tasks }, ctx) => ({
    title: 'Task queue',
    order: 20,
    async render() {
      // A key for one piece of work takes no other.
      if (ctx.principal.confinedTo !== undefined) return ''
      const count = async (where: Filter<Task>): Promise<number> => tasks.count(where, { max: MAX_COUNT })
      const [readyBefore, readyByNow, working, dead] = await Promise.all([
        count({ stage: 'ready' }),
        count(due),
        count({ stage: 'working' }),
        count({ stage: 'dead_letter' }),
      ])
      const ready = readyBefore + readyByNow
      if (ready + working + dead === 0) return ''
      const triage = dead > 0 ? `\n${many(dead)} need triage: tasks_list with status dead_letter.` : ''
      return `${many(ready)} ready to claim (tasks_claim), ${many(working)} in work.${triage}`
    },
  }),
})

function many(count: number): string {
  return count >= MAX_COUNT ? `${MAX_COUNT} or more` : String(count)
}

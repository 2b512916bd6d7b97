import { type Collection, defineService, type Filter, now, provideProcess } from '@gateway/sdk'
import { BoundedMap } from '@gateway/sdk/bounds'
import { audience } from '../rules/stage.ts'
import type { Task } from '../schema.ts'

/** Times at which each tenant's delayed tasks were last checked; it holds only times. */
export interface PromotionTimes {
  /** True if a check is due at `nowMs`, which then counts as made. */
  due(tenantId: string, nowMs: number): boolean
}
export const promotionTimes = defineService<PromotionTimes>('tasks.promotion-times', 'process')

/** Claimers come by the thousand per second; one check in this time is enough for all of them. */
const PAUSE_MS = 100
const MAX_TENANTS = 10_000

export const promotionTimesProvider = provideProcess(promotionTimes, {
  create: () => {
    const last = new BoundedMap<string, number>(MAX_TENANTS)
    return {
      due(tenantId, nowMs) {
        const since = nowMs - (last.get(tenantId) ?? Number.NEGATIVE_INFINITY)
        if (since >= 0 && since < PAUSE_MS) return false
        last.set(tenantId, nowMs)
        return true
      },
    }
  },
})

const PAGE = 500

/** Claimable, although the store has it as delayed until a claimer comes. */
export const due = { stage: 'delayed', nextRetryAt: { lte: now() } } as const

/** Makes delayed tasks that are due ready and returns their number. It works in pages, so that other writers get in between. */
export async function promoteDue(tasks: Collection<Task>): Promise<number> {
  for (let promoted = 0; ; ) {
    const { items } = await tasks.find({ where: due, sort: { nextRetryAt: 1 }, limit: PAGE })
    const changes = await Promise.all(items.map((task) => promote(tasks, task, due)))
    promoted += changes.filter(Boolean).length
    if (items.length < PAGE) return promoted
  }
}

function promote(tasks: Collection<Task>, task: Task, due: Filter<Task>): Promise<Task | undefined> {
  // The audience depends on these three: a writer that changed them since has derived the stage itself.
  const { recommendedModel = null, recommendedModelPreference = null, assignedAgent = null } = task
  const unchanged = { ...due, recommendedModel, recommendedModelPreference, assignedAgent }
  return tasks.updateOne(task.taskId, { set: { stage: 'ready', readyFor: audience(task) } }, unchanged)
}

import { type Collection, defineService, now, provideProcess } from '@gateway/sdk'
import type { Task } from './schema.ts'

/** When each tenant’s delayed tasks were last looked through; it holds times only. */
export interface PromotionTimes {
  /** Whether a look is due at `nowMs`, and if so, that it is made. */
  due(tenantId: string, nowMs: number): boolean
}
export const promotionTimes = defineService<PromotionTimes>('tasks.promotion-times', 'process')

/** Claimers come by the thousand per second; one look in this time is enough for all of them. */
const PAUSE_MS = 100
const MAX_TENANTS = 10_000

export const promotionTimesProvider = provideProcess(promotionTimes, {
  create: () => {
    const last = new Map<string, number>()
    return {
      due(tenantId, nowMs) {
        const since = nowMs - (last.get(tenantId) ?? Number.NEGATIVE_INFINITY)
        if (since >= 0 && since < PAUSE_MS) return false
        if (last.size >= MAX_TENANTS) last.clear()
        last.set(tenantId, nowMs)
        return true
      },
    }
  },
})

const PAGE = 500

/** Make ready whatever is delayed and due; returns how many. In pages, so that other writers get in between. */
export async function promoteDue(tasks: Collection<Task>): Promise<number> {
  for (let promoted = 0; ; ) {
    const due = { queue: 'delayed', nextRetryAt: { lte: now() } } as const
    const { items } = await tasks.find({ where: due, sort: { nextRetryAt: 1 }, limit: PAGE })
    if (items.length > 0)
      promoted += await tasks.updateMany({ ...due, taskId: { in: items.map((task) => task.taskId) } }, { set: { queue: 'ready' } })
    if (items.length < PAGE) return promoted
  }
}

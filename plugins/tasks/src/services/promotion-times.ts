import { defineService, provideProcess } from '@gateway/sdk'
import { BoundedMap } from '@gateway/sdk/bounds'

/** State of each tenant's queue, shared by the calls of a process: when its delayed tasks were last checked, and that a gate was closed. */
export interface PromotionTimes {
  /** True if a check is due at `nowMs`, which then counts as made. */
  due(tenantId: string, nowMs: number): boolean
  foundClosed(tenantId: string): void
  /** True if a call found a gate closed since this was last asked. */
  wasClosed(tenantId: string): boolean
}
export const promotionTimes = defineService<PromotionTimes>('tasks.promotion-times', 'process')

/** Claimers come by the thousand per second; one check in this time is enough for all of them. */
const PAUSE_MS = 100
const MAX_TENANTS = 10_000

export const promotionTimesProvider = provideProcess(promotionTimes, {
  create: () => {
    const last = new BoundedMap<string, number>(MAX_TENANTS)
    const closed = new BoundedMap<string, true>(MAX_TENANTS)
    return {
      due(tenantId, nowMs) {
        const since = nowMs - (last.get(tenantId) ?? Number.NEGATIVE_INFINITY)
        if (since >= 0 && since < PAUSE_MS) return false
        last.set(tenantId, nowMs)
        return true
      },
      foundClosed: (tenantId) => void closed.set(tenantId, true),
      wasClosed: (tenantId) => closed.delete(tenantId),
    }
  },
})

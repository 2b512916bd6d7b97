import { defineService, provideProcess } from '@gateway/sdk'
import { config } from '../config.ts'

/** Number of runs that each tenant has under way in this process; it holds numbers only. */
export interface RunSlots {
  /** Takes up to `wanted` slots. Returns the number taken. */
  take(tenantId: string, wanted: number): number
  giveBack(tenantId: string, count: number): void
}
export const runSlots = defineService<RunSlots>('schedules.run-slots', 'process')

export const runSlotsProvider = provideProcess(runSlots, {
  uses: { config },
  create({ config }) {
    const taken = new Map<string, number>()
    const change = (tenantId: string, by: number): void => {
      const count = (taken.get(tenantId) ?? 0) + by
      if (count === 0) taken.delete(tenantId)
      else taken.set(tenantId, count)
    }
    return {
      take(tenantId, wanted) {
        const count = Math.min(wanted, config.maxRunsAtOnce - (taken.get(tenantId) ?? 0))
        change(tenantId, count)
        return count
      },
      giveBack: (tenantId, count) => change(tenantId, -count),
    }
  },
})

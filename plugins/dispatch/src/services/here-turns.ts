import { defineService, provideProcess } from '@gateway/sdk'
import { BoundedMap } from '@gateway/sdk/bounds'

/** Turns of the tenants whose tasks this process executes by itself: one at a time for each, and a rest after one that could do nothing. */
export interface HereTurns {
  /** False while a turn of the tenant is under way, or its rest lasts. */
  begin(tenantId: string, at: Date): boolean
  end(tenantId: string): void
  rest(tenantId: string, at: Date): void
}
export const hereTurns = defineService<HereTurns>('dispatch.here-turns', 'process')

/** Time until budgets, gates and providers that held tasks back are asked again. */
const REST_MS = 30_000
const MAX_RESTING = 10_000

export const hereTurnsProvider = provideProcess(hereTurns, {
  create() {
    const underWay = new Set<string>()
    const resting = new BoundedMap<string, number>(MAX_RESTING)
    return {
      begin(tenantId, at) {
        const rested = at.getTime() - (resting.get(tenantId) ?? Number.NEGATIVE_INFINITY)
        if (underWay.has(tenantId) || (rested >= 0 && rested < REST_MS)) return false
        underWay.add(tenantId)
        return true
      },
      end: (tenantId) => void underWay.delete(tenantId),
      rest: (tenantId, at) => resting.set(tenantId, at.getTime()),
    }
  },
})

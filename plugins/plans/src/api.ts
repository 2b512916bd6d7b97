import { defineService } from '@gateway/sdk'

export interface PlanRetention {
  /**
   * Remove the days of plans that are past retention, of the caller’s tenant, unless it is under legal hold: those that are done, blocked
   * or disabled, and neither fired nor were changed since. Returns how many. The family does it once a day by itself.
   */
  purge(): Promise<number>
}
export const planRetention = defineService<PlanRetention>('plans.retention')

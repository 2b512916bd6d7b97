import { daysAgo, defineRetention } from '@gateway/sdk'
import { planDays } from '../collections.ts'
import { config } from '../config.ts'
import type { DayStatus } from '../schema.ts'

/** Such a day is over once its time has passed. */
const TERMINAL: readonly DayStatus[] = ['done', 'blocked', 'disabled']

/** Removes days of plans that are over and neither fired nor changed for the configured number of days. */
export const retention = defineRetention('plans.retention', {
  collection: planDays,
  config,
  past({ retentionDays }) {
    const past = { lt: daysAgo(retentionDays) }
    return { where: { status: { in: TERMINAL }, fireAt: past, updatedAt: past }, sort: { status: 1, fireAt: 1 } }
  },
})

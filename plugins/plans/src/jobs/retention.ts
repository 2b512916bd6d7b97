import { daysAgo, defineRetention } from '@gateway/sdk'
import { planDays } from '../collections.ts'
import { config } from '../config.ts'
import type { DayStatus } from '../schema.ts'

/** Nobody waits for such a day any more, once its time is over. */
const TERMINAL: readonly DayStatus[] = ['done', 'blocked', 'disabled']

/** Removes the days of plans that are over and neither fired nor were changed since the setting’s days. */
export const retention = defineRetention('plans.retention', {
  collection: planDays,
  config,
  past({ retentionDays }) {
    const past = { lt: daysAgo(retentionDays) }
    return { where: { status: { in: TERMINAL }, fireAt: past, updatedAt: past }, sort: { status: 1, fireAt: 1 } }
  },
})

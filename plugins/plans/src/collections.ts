import { defineCollection } from '@gateway/sdk'
import { PlanDay } from './schema.ts'

/**
 * The id of a day consists of its repo and its number. The first index serves a plan and the list of all, the second retention, the
 * third the days that are due.
 */
export const planDays = defineCollection('plans', {
  schema: PlanDay,
  key: 'planDayId',
  indexes: [
    { keys: { repo: 1, day: 1 } },
    { keys: { status: 1, fireAt: 1 } },
    { keys: { status: 1, taskId: 1, past: 1, fireAt: 1 }, acrossTenants: true },
  ],
})

import { defineCollection } from '@gateway/sdk'
import { PlanDay } from './schema.ts'

/** The id of a day is its repo and its number. The index serves a plan, and the list of all plans. */
export const planDays = defineCollection('plans', {
  schema: PlanDay,
  key: 'planDayId',
  indexes: [{ keys: { repo: 1, day: 1 } }],
})

import { defineCollection } from '@gateway/sdk'
import { RecurringTask } from './schema.ts'

/** Both indexes serve lists as well, which name both values of `enabled` when they want either. */
export const recurringTasks = defineCollection('recurring', {
  schema: RecurringTask,
  key: 'recurringId',
  indexes: [{ keys: { enabled: 1, nextFireAt: 1 }, acrossTenants: true }, { keys: { repo: 1, enabled: 1, nextFireAt: 1 } }],
})

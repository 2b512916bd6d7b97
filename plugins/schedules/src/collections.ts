import { defineCollection } from '@gateway/sdk'
import { Delivery, Schedule, StoredRun } from './schema.ts'

export const schedules = defineCollection('schedules', {
  schema: Schedule,
  key: 'scheduleId',
  indexes: [
    // due schedules; every list, by naming all values of a filter that is not given; lost runs; seeds; those that the gateway disabled
    { keys: { enabled: 1, nextRun: 1 }, acrossTenants: true },
    { keys: { kind: 1, lastStatus: 1, enabled: 1, nextRun: 1 } },
    { keys: { runLeaseUntil: 1 }, present: 'runLeaseUntil', acrossTenants: true },
    { keys: { name: 1 } },
    { keys: { disabledAt: 1 }, present: 'disabledAt' },
  ],
})

/** Ids of runs sort by time, so the newest runs of a schedule are read by the index. */
export const runs = defineCollection('schedules.runs', {
  schema: StoredRun,
  key: 'runId',
  indexes: [{ keys: { scheduleId: 1, runId: -1 } }],
})

/** Results on their way to notification channels; each is removed when its channel has it, or is given up. */
export const deliveries = defineCollection('schedules.deliveries', {
  schema: Delivery,
  key: 'runId',
  indexes: [{ keys: { dueAt: 1 }, acrossTenants: true }],
})

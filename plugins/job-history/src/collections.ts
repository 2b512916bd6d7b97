import { defineCollection } from '@gateway/sdk'
import { ringSchema } from '@gateway/sdk/ring'
import { jobSchema, runCountSchema } from './schema.ts'

/** A search by repo alone names every status, so that one index serves it with and without a status. */
export const jobs = defineCollection('job-history', {
  schema: jobSchema,
  key: 'jobId',
  indexes: [
    { keys: { startedAtMs: -1 } },
    { keys: { repo: 1, status: 1, startedAtMs: -1 }, present: 'repo' },
    { keys: { status: 1, startedAtMs: -1 } },
    { keys: { taskId: 1, startedAtMs: -1 }, present: 'taskId' },
    { keys: { logFile: 1 }, unique: true },
  ],
})

export const rings = defineCollection('job-history.rings', { schema: ringSchema, key: 'ring' })

export const counts = defineCollection('job-history.counts', { schema: runCountSchema, key: 'of' })

import type { JobParts } from '@gateway/kernel'
import { defineMetric, type Filter } from '@gateway/sdk'
import { KERNEL_TENANT } from '@gateway/storage'
import { type JobRecord, jobRecords } from './job-record.ts'

const late = defineMetric('gateway.jobs.late', {
  kind: 'gauge',
  description: 'Jobs due for more than half a minute that no node has started.',
  unit: '{job}',
})
const lateness = defineMetric('gateway.jobs.lateness', {
  kind: 'gauge',
  description: 'Time for which the most overdue job has been due; 0 when no job is.',
  unit: 's',
})

/** Due jobs are polled every second. */
const GRACE_MS = 30_000

/** Each declared job has one record, and an index finds the due ones. The record of a job that no plugin declares any more is never run. */
export function measureLateness({ metrics, store, plugins }: JobParts): void {
  const names = plugins.flatMap(({ jobs }) => jobs.map(({ id }) => id))
  metrics?.onLook(async () => {
    const records = store.collection<JobRecord>(jobRecords, KERNEL_TENANT)
    const now = (await store.now()).getTime()
    const where: Filter<JobRecord> = {
      name: { in: names },
      nextRunAt: { lt: new Date(now - GRACE_MS).toISOString() },
      lockedAt: { exists: false },
      disabled: { ne: true },
    }
    const [oldest] = (await records.find({ where, sort: { nextRunAt: 1 }, limit: 1 })).items
    metrics.of(late).set(oldest === undefined ? 0 : await records.count(where, { max: 1_000 }))
    metrics.of(lateness).set(oldest?.nextRunAt === undefined ? 0 : (now - Date.parse(oldest.nextRunAt)) / 1_000)
  })
}

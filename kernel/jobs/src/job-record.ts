import { closed, defineCollection, type Infer, Type } from '@gateway/sdk'
import { resolveTime } from '@gateway/storage'
import type { JobId, JobParameters, JobRepositoryOptions } from 'agenda'

const Time = Type.Optional(Type.String())

const schema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    type: Type.Enum(['normal', 'single']),
    priority: Type.Number(),
    /** Number of locks so far, which identifies a lock of this job. */
    lock: Type.Number(),
    nextRunAt: Time,
    /** Set while a node runs it. Any node may take a lock that was not renewed for its lifetime. */
    lockedAt: Time,
    lastRunAt: Time,
    lastFinishedAt: Time,
    failedAt: Time,
    failCount: Type.Optional(Type.Number()),
    failReason: Type.Optional(Type.String()),
    progress: Type.Optional(Type.Number()),
    repeatInterval: Type.Optional(Type.Union([Type.String(), Type.Number()])),
    repeatAt: Type.Optional(Type.String()),
    repeatTimezone: Type.Optional(Type.String()),
    startDate: Time,
    endDate: Time,
    skipDays: Type.Optional(Type.Array(Type.Number())),
    data: Type.Optional(Type.Unknown()),
    disabled: Type.Optional(Type.Boolean()),
    fork: Type.Optional(Type.Boolean()),
    lastModifiedBy: Type.Optional(Type.String()),
  },
  closed,
)
export type JobRecord = Infer<typeof schema>

/** Background jobs, one record per job for all nodes. They belong to the kernel. */
export const jobRecords = defineCollection('gateway.jobs', {
  schema,
  key: 'id',
  indexes: [{ keys: { name: 1 } }, { keys: { nextRunAt: 1 } }],
})

/** Fields about the runs of a job, written by the holder of its lock. */
export const STATE = ['nextRunAt', 'lockedAt', 'lastRunAt', 'lastFinishedAt', 'failedAt', 'failCount', 'failReason', 'progress'] as const
/** Fields that define the job, written by its definition. */
export const DEFINITION = [
  'priority',
  'nextRunAt',
  'repeatInterval',
  'repeatAt',
  'repeatTimezone',
  'startDate',
  'endDate',
  'skipDays',
  'data',
  'disabled',
  'fork',
] as const

const TIMES = ['nextRunAt', 'lockedAt', 'lastRunAt', 'lastFinishedAt', 'failedAt', 'startDate', 'endDate'] as const

/**
 * Converts a time of agenda's to its distance from now. agenda reads the clock of its node, and the records hold the store's
 * time; they are never compared, and a distance is the same by either clock.
 */
function fromNow(value: unknown): unknown {
  return value instanceof Date ? { $now: value.getTime() - Date.now() } : value
}

export function setting(job: JobParameters, fields: readonly (keyof JobParameters & keyof JobRecord)[]): object {
  const set = fields.filter((field) => (job[field] ?? null) !== null).map((field) => [field, fromNow(job[field])])
  return { set: Object.fromEntries(set), unset: fields.filter((field) => job[field] === null) }
}

export function newRecord(id: string, job: JobParameters, storeNow: number, options?: JobRepositoryOptions): JobRecord {
  const { name, type, priority } = job
  const given = DEFINITION.filter((field) => (job[field] ?? null) !== null)
  const fields = given.map((field) => [field, resolveTime(fromNow(job[field]), storeNow)])
  const signature = options?.lastModifiedBy === undefined ? {} : { lastModifiedBy: options.lastModifiedBy }
  return { id, name, type: type ?? 'normal', lock: 0, ...Object.fromEntries(fields), priority: priority ?? 0, ...signature }
}

/** The job as agenda knows it, by this node's clock. `lock` is omitted: only the holder of the lock may know its number. */
export function toJob({ id, lock: _lock, ...record }: JobRecord, storeNow: number): JobParameters & { _id: JobId } {
  const ahead = Date.now() - storeNow
  const job: Record<string, unknown> = { nextRunAt: null, data: undefined, ...record, _id: id }
  for (const field of TIMES) {
    const text = record[field]
    if (text !== undefined) job[field] = new Date(Date.parse(text) + ahead)
  }
  return job as unknown as JobParameters & { _id: JobId }
}

import {
  checkOrder,
  closed,
  cutShort,
  defined,
  defineTool,
  type Filter,
  foldCase,
  LIST_BYTES,
  ListFill,
  repairText,
  rowLimit,
  scan,
  Type,
  truncated,
} from '@gateway/sdk'
import { ringSize } from '@gateway/sdk/ring'
import { counts, jobs, rings } from '../collections.ts'
import { counted } from '../operations/counts.ts'
import { epochMs, type Job, jobSchema, STATUSES } from '../schema.ts'

const ROWS = rowLimit(50, 500, 'Runs')
const dateOf = (ms: number | undefined): Date | undefined => (ms === undefined ? undefined : new Date(ms))
const newestFirst = { startedAtMs: -1, jobId: -1 } as const

export const jobHistorySearch = defineTool({
  name: 'job_history_search',
  description:
    'Search how past runs ended, by repo, task, status, text and time. Returns the runs, those that started last first, and the total of all that match, whatever the limit.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/job-history',
  input: Type.Object(
    {
      repo: Type.Optional(Type.String({ minLength: 1 })),
      taskId: Type.Optional(Type.String({ minLength: 1 })),
      status: Type.Optional(Type.Enum(STATUSES)),
      q: Type.Optional(
        Type.String({ minLength: 1, maxLength: 1_000, description: 'Part of the result line or the error excerpt, in any case.' }),
      ),
      since: Type.Optional(epochMs('Started then or later; milliseconds since 1970.')),
      until: Type.Optional(epochMs('Started then or earlier; milliseconds since 1970.')),
      limit: ROWS.argument,
    },
    closed,
  ),
  output: Type.Object({ jobs: Type.Array(jobSchema), total: Type.Integer(), truncated }, closed),
  uses: { jobs, rings, counts },
  async handle(args, { jobs, rings, counts }, ctx) {
    const { repo, taskId, status, q, since, until, limit } = repairText(args)
    checkOrder({ since: dateOf(since), until: dateOf(until) })
    const inTime: Filter<Job> = {
      ...((since ?? until) !== undefined && {
        startedAtMs: { ...defined({ gte: since, lte: until }) },
      }),
    }
    const ofRepo = repo === undefined ? {} : { repo }
    const statuses = status === undefined ? [...STATUSES, null] : [status]
    const isNarrowed = (repo ?? status) !== undefined
    // A task has few runs, so other filters are applied to these, as are filters without an index.
    const narrowed: Filter<Job> = taskId !== undefined ? { taskId } : isNarrowed ? { ...ofRepo, status: { in: statuses } } : {}
    const query = { where: { ...narrowed, ...inTime }, sort: newestFirst }
    const rows = ROWS.of(limit)
    if (q === undefined && (taskId === undefined || !isNarrowed)) {
      const page = await jobs.find({ ...query, limit: rows, maxBytes: LIST_BYTES })
      return { jobs: [...page.items], total: await totalOf(), ...cutShort(page, rows) }
    }
    const wanted = q === undefined ? undefined : foldCase(q)
    const found = new ListFill<Job>(rows)
    let total = 0
    for await (const job of scan(jobs, query, ctx)) {
      if ((repo ?? job.repo) !== job.repo || (status ?? job.status) !== job.status) continue
      if (wanted !== undefined && ![job.resultLine, job.errorExcerpt].some((text = '') => foldCase(text).includes(wanted))) continue
      total++
      found.add(job)
    }
    return { jobs: found.rows, total, ...found.cutShort }

    async function totalOf(): Promise<number> {
      const ofAllTime = inTime.startedAtMs === undefined
      if (taskId !== undefined) return jobs.count(query.where)
      if (!isNarrowed) return ofAllTime ? ringSize(rings) : jobs.count(inTime)
      if (ofAllTime) return counted(counts, repo, statuses)
      // Each status is counted separately, because each is a range of the index.
      const each = await Promise.all(statuses.map((one) => jobs.count({ ...ofRepo, status: one, ...inTime })))
      return each.reduce((sum, runs) => sum + runs, 0)
    }
  },
})

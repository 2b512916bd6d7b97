import { defineTool, type Filter, scan, Type } from '@gateway/sdk'
import { ringSize } from '@gateway/sdk/ring'
import { jobs, rings } from '../collections.ts'
import { closed, epochMs, type Job, jobSchema, STATUSES } from '../schema.ts'

const ROWS = { default: 50, max: 500 }
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
        Type.String({ minLength: 1, maxLength: 1_000, description: 'Stands in the result line or the error excerpt, in whatever case.' }),
      ),
      since: Type.Optional(epochMs('Started then or later; milliseconds since 1970.')),
      until: Type.Optional(epochMs('Started then or earlier; milliseconds since 1970.')),
      limit: Type.Optional(
        Type.Integer({
          default: ROWS.default,
          minimum: 1,
          description: `At most this many runs; more than ${ROWS.max} means ${ROWS.max}.`,
        }),
      ),
    },
    closed,
  ),
  output: Type.Object({ jobs: Type.Array(jobSchema), total: Type.Integer() }, closed),
  uses: { jobs, rings },
  async handle({ repo, taskId, status, q, since, until, limit = ROWS.default }, { jobs, rings }, ctx) {
    const where: Filter<Job> = {
      ...(repo !== undefined && { repo }),
      ...(taskId !== undefined && { taskId }),
      ...(status !== undefined && { status }),
      ...((since ?? until) !== undefined && {
        startedAtMs: { ...(since !== undefined && { gte: since }), ...(until !== undefined && { lte: until }) },
      }),
    }
    const everyStatus = repo !== undefined && status === undefined ? { status: { in: [...STATUSES, null] } } : {}
    const query = { where: { ...where, ...everyStatus }, sort: newestFirst }
    const rows = Math.min(limit, ROWS.max)
    if (q === undefined) {
      const total = Object.keys(where).length === 0 ? ringSize(rings) : jobs.count(where)
      return { jobs: [...(await jobs.find({ ...query, limit: rows })).items], total: await total }
    }
    const wanted = q.toLowerCase()
    const found: Job[] = []
    let total = 0
    for await (const job of scan(jobs, query, ctx.signal)) {
      if (![job.resultLine, job.errorExcerpt].some((text) => text?.toLowerCase().includes(wanted))) continue
      if (++total <= rows) found.push(job)
    }
    return { jobs: found, total }
  },
})

import { type AttentionSource, attentionSource, contribute } from '@gateway/sdk'
import { jobs } from '../collections.ts'

const COUNT_UP_TO = 1_000
/** Older failures are history. */
const FRESH_MS = 86_400_000

/** Jobs of runners that failed within a day. */
export const failedJobs = contribute(attentionSource, {
  uses: { jobs },
  create: ({ jobs }, ctx): AttentionSource => ({
    kind: 'failed-job',
    capability: 'work',
    async look(limit) {
      const where = { status: 'failed', startedAtMs: { gte: ctx.now().getTime() - FRESH_MS } } as const
      const [count, { items }] = await Promise.all([
        jobs.count(where, { max: COUNT_UP_TO }),
        jobs.find({ where, sort: { startedAtMs: -1 }, limit }),
      ])
      return {
        count,
        items: items.map(({ jobId, repo, taskId, resultLine, errorExcerpt, startedAtMs }) => ({
          id: jobId,
          title: `A job${repo === undefined ? '' : ` in ${repo}`} has failed`,
          ...(resultLine !== undefined || errorExcerpt !== undefined ? { text: (resultLine ?? errorExcerpt ?? '').slice(0, 300) } : {}),
          tone: 'warn',
          at: new Date(startedAtMs).toISOString(),
          link: taskId === undefined ? { to: '/jobs', with: { status: 'failed' } } : { to: '/tasks/:taskId', with: { taskId } },
        })),
      }
    },
  }),
})

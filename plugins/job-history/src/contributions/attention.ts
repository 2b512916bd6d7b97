import { type Task, taskQueue } from '@gateway/plugin-tasks/api'
import { type AttentionItem, type AttentionSource, attentionSource, contribute, defined, optional } from '@gateway/sdk'
import { jobs } from '../collections.ts'
import type { Job } from '../schema.ts'

/** Newest failures that are looked at. Their tasks are read at once. */
const LOOKED_AT = 100
/** Older failures are history. */
const FRESH_MS = 86_400_000

/** Ids of tasks begin with it. A job may also name work that is tracked elsewhere. */
const TASK_PREFIX = 'task-'

/**
 * Jobs of runners that failed within a day. A task that is tried again, has gone on or was removed waits for nobody; one that has stopped is
 * one item, with the newest of its failures. So is work that is tracked elsewhere and whose last run has failed.
 */
export const failedJobs = contribute(attentionSource, {
  uses: { jobs, queue: optional(taskQueue) },
  create: ({ jobs, queue }, ctx): AttentionSource => ({
    kind: 'failed-job',
    capability: 'work',
    async look(limit) {
      const where = { status: 'failed', startedAtMs: { gte: ctx.now().getTime() - FRESH_MS } } as const
      const { items } = await jobs.find({ where, sort: { startedAtMs: -1 }, limit: LOOKED_AT })
      const newest = new Map([...items].reverse().map((job) => [workOf(job), job]))
      const failed = items.filter((job) => newest.get(workOf(job)) === job)
      const found = await queue?.getMany(failed.flatMap(({ taskId }) => taskId ?? []))
      const tasks = new Map(found?.map((task) => [task.taskId, task]))
      const isLast = async ({ jobId, taskId, repo }: Job): Promise<boolean> => {
        if (taskId === undefined || taskId.startsWith(TASK_PREFIX)) return true
        const where = { taskId, ...defined({ repo }) }
        return (await jobs.find({ where, sort: { startedAtMs: -1 }, limit: 1 })).items[0]?.jobId === jobId
      }
      const stillFailed = await Promise.all(failed.map(isLast))
      const waiting = failed
        .filter((_, at) => stillFailed[at])
        .flatMap((job) => {
          if (job.taskId === undefined || found === undefined) return [item(job, undefined)]
          const task = tasks.get(job.taskId)
          return (task === undefined ? !job.taskId.startsWith(TASK_PREFIX) : hasStopped(task)) ? [item(job, task)] : []
        })
      return { count: waiting.length, items: waiting.slice(0, limit) }
    },
  }),
})

/** Other trackers count in each repo. */
const workOf = ({ jobId, taskId, repo = '' }: Job): string =>
  taskId === undefined || taskId.startsWith(TASK_PREFIX) ? (taskId ?? jobId) : `${repo}\n${taskId}`

const hasStopped = ({ status }: Task): boolean => status === 'blocked' || status === 'dead_letter' || status === 'paused'

function item({ jobId, repo, taskId, resultLine, errorExcerpt, startedAtMs }: Job, task: Task | undefined): AttentionItem {
  const text = errorExcerpt ?? resultLine
  const of = task === undefined ? (taskId === undefined ? '' : ` of ${taskId}`) : ` of “${task.title}”`
  return {
    id: jobId,
    title: `A job${of}${repo === undefined ? '' : ` in ${repo}`} has failed`,
    ...(text !== undefined && { text: text.slice(0, 300) }),
    tone: 'warn',
    at: new Date(startedAtMs).toISOString(),
    link:
      taskId?.startsWith(TASK_PREFIX) !== true ? { to: '/jobs', with: { status: 'failed' } } : { to: '/tasks/:taskId', with: { taskId } },
  }
}

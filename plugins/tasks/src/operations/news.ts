import { closed, defined, defineEvent, Type } from '@gateway/sdk'
import { PRIORITIES, STATUSES, type Task } from '../schema.ts'

const MAX_ERROR = 500

const about = {
  taskId: Type.String(),
  repo: Type.String(),
  title: Type.String(),
  priority: Type.Enum(PRIORITIES),
  status: Type.Enum(STATUSES),
  assignedAgent: Type.Optional(Type.String()),
  swarmId: Type.Optional(Type.String()),
  prUrl: Type.Optional(Type.String()),
}

/** Public fields of a task for outside subscribers: no notes, no description. */
const eventOf = ({ taskId, repo, title, priority, status, assignedAgent, swarmId, prUrl }: Task) => ({
  taskId,
  repo,
  title,
  priority,
  status,
  ...defined({ assignedAgent, swarmId, prUrl }),
})

export const taskCreated = defineEvent('tasks.created', Type.Object({ ...about, createdAt: Type.String() }, closed), {
  public: 'A task was put into the queue.',
})
export const createdNews = (task: Task) => ({ ...eventOf(task), createdAt: task.createdAt })

export const taskClaimed = defineEvent(
  'tasks.claimed',
  Type.Object({ ...about, claimedBy: Type.String(), claimedAt: Type.String(), leaseUntil: Type.Optional(Type.String()) }, closed),
  { public: 'A task was claimed. Sent within a second, and always before the move that ends the claim.' },
)
export const claimedNews = (task: Task) => {
  const { claimedBy = '', claimedAt = task.updatedAt, leaseUntil } = task
  return { ...eventOf(task), claimedBy, claimedAt, ...defined({ leaseUntil }) }
}

export const taskFailed = defineEvent(
  'tasks.failed',
  Type.Object(
    {
      ...about,
      error: Type.String(),
      retryCount: Type.Integer(),
      nextRetryAt: Type.Optional(Type.String()),
      claimedBy: Type.Optional(Type.String()),
      at: Type.String(),
    },
    closed,
  ),
  {
    public:
      'The work on a task failed, or its lease expired. `status` says whether it is tried again (pending) or needs someone (dead_letter).',
  },
)
export const failedNews = (before: Task, after: Task) => ({
  ...eventOf(after),
  error: (after.lastError ?? '').slice(0, MAX_ERROR),
  retryCount: after.retryCount,
  ...defined({ nextRetryAt: after.nextRetryAt, claimedBy: before.claimedBy }),
  at: after.updatedAt,
})

export const taskMoved = defineEvent(
  'tasks.moved',
  Type.Object({ ...about, before: Type.Enum(STATUSES), at: Type.String(), lastError: Type.Optional(Type.String()) }, closed),
  {
    public:
      'The status of a task changed: it is done, in review, blocked, paused, dead_letter, or pending again after a failure or a pause. A claim is `tasks.claimed`; removal to the trash emits no event.',
  },
)
export const movedNews = (before: Task, after: Task) => ({
  ...eventOf(after),
  before: before.status,
  at: after.updatedAt,
  ...(after.lastError !== undefined && { lastError: after.lastError.slice(0, MAX_ERROR) }),
})

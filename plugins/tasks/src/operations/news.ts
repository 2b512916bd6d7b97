import { closed, defined, defineEvent, Type } from '@gateway/sdk'
import { PRIORITIES, STATUSES, type Task } from '../schema.ts'

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
const told = ({ taskId, repo, title, priority, status, assignedAgent, swarmId, prUrl }: Task) => ({
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
export const createdNews = (task: Task) => ({ ...told(task), createdAt: task.createdAt })

export const taskMoved = defineEvent(
  'tasks.moved',
  Type.Object({ ...about, before: Type.Enum(STATUSES), at: Type.String(), lastError: Type.Optional(Type.String()) }, closed),
  {
    public:
      'A task came into another status: it is done, in review, blocked, paused, dead_letter, or pending again after a failure or a pause. A claim is not told, nor is removal to the trash.',
  },
)
export const movedNews = (before: Task, after: Task) => ({
  ...told(after),
  before: before.status,
  at: after.updatedAt,
  ...(after.lastError !== undefined && { lastError: after.lastError.slice(0, 500) }),
})

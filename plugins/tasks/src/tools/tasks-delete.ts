import { trashBin } from '@gateway/plugin-trash/api'
import { atomically, callerName, closed, defined, defineTool, NotFound, Type } from '@gateway/sdk'
import { tasks } from '../collections.ts'
import { TRASH_KIND } from '../contributions/trash-kind.ts'
import { TaskWorking } from '../errors.ts'
import { announceTaken, takenUses } from '../operations/taken.ts'
import { shownTask } from '../rules/show.ts'
import { reason, ShownTask, taskId } from '../schema.ts'

export const tasksDelete = defineTool({
  name: 'tasks_delete',
  description:
    'Move a task to the trash; tasks_restore brings it back. A working task is refused, and tasks that depend on it keep waiting for it. Returns {trashId, task}.',
  capability: 'work',
  effect: 'destructive',
  rest: 'DELETE /api/tasks/:taskId',
  input: Type.Object({ taskId, reason: Type.Optional(reason) }, closed),
  output: Type.Object({ trashId: Type.String(), task: ShownTask }, closed),
  errors: [TaskWorking],
  uses: { tasks, atomically, trash: trashBin, ...takenUses },
  async handle({ taskId, reason }, { tasks, atomically, trash, takers }, ctx) {
    const removed = await atomically(async (tx) => {
      const task = await tasks.in(tx).deleteOne(taskId)
      if (!task) throw NotFound({ what: 'task', id: taskId })
      if (task.status === 'working') throw TaskWorking({ taskId, ...(task.leaseUntil && { leaseUntil: task.leaseUntil }) })
      const { repo, title: label } = task
      const entry = {
        kind: TRASH_KIND,
        itemId: taskId,
        label,
        repo,
        itemCount: 1,
        deletedBy: callerName(ctx.principal),
        reason,
        payload: task,
      }
      return { trashId: (await trash.put(entry, tx)).trashId, task }
    })
    await announceTaken({ takers }, taskId, ctx)
    ctx.audit('task.trash', { taskId, trashId: removed.trashId, ...defined({ reason }) })
    return { trashId: removed.trashId, task: shownTask(removed.task) }
  },
})

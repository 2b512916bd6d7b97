import { trashBin } from '@gateway/plugin-trash/api'
import { atomically, BadRequest, Conflict, closed, defineTool, NotFound, Type } from '@gateway/sdk'
import { TRASH_KIND } from '../contributions/trash-kind.ts'
import { changeUses, takePart } from '../operations/change.ts'
import { announceClaimable } from '../operations/claimable.ts'
import { recount } from '../operations/dependencies.ts'
import { shownTask } from '../rules/show.ts'
import { derived } from '../rules/stage.ts'
import { ShownTask, type Task, taskId } from '../schema.ts'

export const tasksRestore = defineTool({
  name: 'tasks_restore',
  description: 'Bring a task back from the trash, by its trashId, or by its taskId (the newest entry); trashId wins. Returns {task}.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/tasks/restore',
  input: Type.Object(
    {
      trashId: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Id of the trash entry (trash-…).' })),
      taskId: Type.Optional(taskId),
    },
    closed,
  ),
  output: Type.Object({ task: ShownTask }, closed),
  uses: { ...changeUses, atomically, trash: trashBin },
  check: ({ trashId, taskId }) => void either(trashId, taskId),
  async handle({ trashId, taskId }, refs, ctx) {
    const id = either(trashId, taskId)
    const restored = await refs.atomically(async (tx) => {
      const entry = await refs.trash.take({ kind: TRASH_KIND, trashId, itemId: taskId }, tx)
      if (!entry) throw NotFound({ what: trashId === undefined ? 'task in the trash' : 'trash entry of a task', id })
      const task = entry.payload as Task
      if (await refs.tasks.in(tx).get(task.taskId)) {
        throw Conflict({
          field: 'taskId',
          message: `taskId ${task.taskId} names an active task; delete that one first to restore this one.`,
        })
      }
      const counts = await recount(refs, task, tx)
      const restored = await refs.tasks.in(tx).insert(derived({ ...task, ...counts }, tx.now))
      announceClaimable(refs.claimable, restored, tx)
      // Its swarm may have been stopped in the meantime, and then its tasks cannot be claimed.
      return { trashId: entry.trashId, task: await takePart(refs, task, restored, tx) }
    })
    ctx.audit('task.restore', { taskId: restored.task.taskId, trashId: restored.trashId })
    return { task: shownTask(restored.task) }
  },
})

function either(trashId: string | undefined, taskId: string | undefined): string {
  const id = trashId ?? taskId
  if (id === undefined) throw BadRequest({ field: 'trashId', message: '`trashId` or `taskId` is required; got neither.' })
  return id
}

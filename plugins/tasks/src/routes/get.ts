import { closed, defineRoute, NotFound, Type } from '@gateway/sdk'
import { tasks } from '../collections.ts'
import { shownTask } from '../rules/show.ts'
import { ShownTask, taskId } from '../schema.ts'

export const tasksGet = defineRoute({
  name: 'tasks.get',
  description: 'Look up one task. Returns {task}.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/tasks/:taskId',
  input: Type.Object({ taskId }, closed),
  output: Type.Object({ task: ShownTask }, closed),
  uses: { tasks },
  async handle({ taskId }, { tasks }) {
    const task = await tasks.get(taskId)
    if (!task) throw NotFound({ what: 'task', id: taskId })
    return { task: shownTask(task) }
  },
})

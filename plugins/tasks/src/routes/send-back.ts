import { closed, defined, defineRoute, nonBlankText, Type } from '@gateway/sdk'
import { sendBack, sendBackUses } from '../operations/send-back.ts'
import { shownTask } from '../rules/show.ts'
import { beforeMove, TaskBefore } from '../rules/undo.ts'
import { ShownTask, taskId } from '../schema.ts'

export const tasksSendBack = defineRoute({
  name: 'tasks.send-back',
  description: 'Send a task in review back to the queue, with a note on what is missing. Returns {task, before}.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/tasks/:taskId/send-back',
  input: Type.Object({ taskId, note: nonBlankText(2_000, { description: 'The missing part; added to the notes.' }) }, closed),
  output: Type.Object({ task: ShownTask, before: Type.Optional(TaskBefore) }, closed),
  uses: sendBackUses,
  async handle({ taskId, note }, refs) {
    const { task, was } = await sendBack(refs, taskId, note)
    return { task: shownTask(task), ...defined({ before: beforeMove(was) }) }
  },
})

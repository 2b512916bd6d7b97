import { closed, defineRoute, nonBlankText, Type } from '@gateway/sdk'
import { sendBack, sendBackUses } from '../operations/send-back.ts'
import { shownTask } from '../rules/show.ts'
import { ShownTask, taskId } from '../schema.ts'

export const tasksSendBack = defineRoute({
  name: 'tasks.send-back',
  description: 'Send a task in review back to the queue, with a note on what is missing. Returns {task}.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/tasks/:taskId/send-back',
  input: Type.Object({ taskId, note: nonBlankText(2_000, { description: 'The missing part; added to the notes.' }) }, closed),
  output: Type.Object({ task: ShownTask }, closed),
  uses: sendBackUses,
  handle: async ({ taskId, note }, refs) => ({ task: shownTask(await sendBack(refs, taskId, note)) }),
})

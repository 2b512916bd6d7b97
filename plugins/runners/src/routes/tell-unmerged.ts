import { taskId, taskQueue } from '@gateway/plugin-tasks/api'
import { closed, defineRoute, NotFound, nonBlankText, Type } from '@gateway/sdk'
import { unmergedBranches } from '../collections.ts'

export const tellUnmerged = defineRoute({
  name: 'runners.tell-unmerged',
  description: 'Tell why the lane merge could not merge the branch of a task. Without a reason the branch no longer waits. Returns {ok}.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/runners/unmerged',
  input: Type.Object(
    { taskId, branch: nonBlankText(300), reason: Type.Optional(nonBlankText(2_000, { description: 'What a person has to change.' })) },
    closed,
  ),
  output: Type.Object({ ok: Type.Literal(true) }, closed),
  uses: { branches: unmergedBranches, queue: taskQueue },
  async handle({ taskId, branch, reason }, { branches, queue }, ctx) {
    if (reason === undefined) await branches.deleteOne(taskId)
    else {
      if ((await queue.get(taskId)) === undefined) throw NotFound({ what: 'task', id: taskId })
      const told = { branch, reason, toldAt: ctx.now().toISOString() }
      await branches.upsert({ taskId, since: told.toldAt, ...told }, { set: told })
    }
    return { ok: true } as const
  },
})

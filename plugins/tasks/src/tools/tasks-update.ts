import { closed, defined, defineTool, ifUpdatedAt, Type } from '@gateway/sdk'
import { repoNames } from '../api.ts'
import { repoName } from '../operations/repo-name.ts'
import { checkTogether, updateErrors, updateTask, updateUses } from '../operations/update.ts'
import { shownTask } from '../rules/show.ts'
import { ShownTask, updateInput } from '../schema.ts'

export const tasksUpdate = defineTool({
  name: 'tasks_update',
  description: 'Change a task. A worker passes its claimId, and reports failure with tasks_fail, not with blocked. Returns {task}.',
  capability: 'work',
  effect: 'write',
  listing: 'core',
  rest: 'PATCH /api/tasks/:taskId',
  input: Type.Object({ ...updateInput.properties, ifUpdatedAt }, closed),
  output: Type.Object({ task: ShownTask }, closed),
  errors: updateErrors,
  uses: { ...updateUses, names: repoNames },
  check: checkTogether,
  async handle({ repo, ...args }, { names, ...refs }, ctx) {
    return {
      task: shownTask(await updateTask(refs, { ...args, ...defined({ repo: await repoName(names, repo, { stores: true }) }) }, ctx)),
    }
  },
})

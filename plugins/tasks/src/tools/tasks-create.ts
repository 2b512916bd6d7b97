import { closed, defineTool, Type, withIdempotencyKey } from '@gateway/sdk'
import { repoNames } from '../api.ts'
import { TooManyDependents, UnknownDependency } from '../errors.ts'
import { createTask, createUses } from '../operations/create.ts'
import { repoName } from '../operations/repo-name.ts'
import { shownTask } from '../rules/show.ts'
import { createInput, ShownTask } from '../schema.ts'

export const tasksCreate = defineTool({
  name: 'tasks_create',
  description: 'Queue a task for a repo. It is claimable once every task in dependsOn is done. Returns {task}.',
  capability: 'work',
  effect: 'write',
  listing: 'core',
  rest: 'POST /api/tasks',
  status: 201,
  input: withIdempotencyKey(createInput),
  output: Type.Object({ task: ShownTask }, closed),
  errors: [UnknownDependency, TooManyDependents],
  uses: { ...createUses, names: repoNames },
  handle: async (args, { names, ...refs }, ctx) => ({
    task: shownTask(await createTask(refs, { ...args, repo: await repoName(names, args.repo, { stores: true }) }, ctx)),
  }),
})

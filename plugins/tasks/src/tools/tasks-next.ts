import { closed, defined, defineTool, Type, waitSeconds } from '@gateway/sdk'
import { repoNames } from '../api.ts'
import { nextTask, queueUses } from '../operations/claim.ts'
import { repoName } from '../operations/repo-name.ts'
import { shownTask } from '../rules/show.ts'
import { assignedAgents, repo, ShownTask, unassigned } from '../schema.ts'

export const tasksNext = defineTool({
  name: 'tasks_next',
  description:
    'Look at the task that tasks_claim would take now (P0 first, then oldest) without taking it. Returns {task}, null when none is claimable, and {reason} while claims are paused.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/tasks/next',
  input: Type.Object(
    {
      repo: Type.Optional(repo),
      assignedAgents: Type.Optional(assignedAgents),
      unassigned: Type.Optional(unassigned),
      waitSeconds: Type.Optional(waitSeconds),
    },
    closed,
  ),
  output: Type.Object(
    {
      task: Type.Union([ShownTask, Type.Null()]),
      reason: Type.Optional(Type.String({ description: 'Reason why no task may be claimed now.' })),
    },
    closed,
  ),
  uses: { ...queueUses, names: repoNames },
  async handle({ repo, ...args }, { names, ...refs }, ctx) {
    const { task, ...rest } = await nextTask(refs, { ...args, ...defined({ repo: await repoName(names, repo) }) }, ctx)
    return { ...rest, task: task && shownTask(task) }
  },
})

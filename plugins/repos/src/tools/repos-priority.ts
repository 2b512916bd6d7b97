import { taskFigures } from '@gateway/plugin-tasks/api'
import { closed, defineTool, optional, Type } from '@gateway/sdk'
import { handoffTimes } from '../api.ts'
import { config } from '../config.ts'
import { ManagedReposInvalid } from '../errors.ts'
import { knownRepos, knownReposUses } from '../operations/known-repos.ts'
import { MAX_RANKED, rank } from '../operations/rank.ts'

const Row = Type.Object(
  {
    name: Type.String(),
    attention: Type.Number({ description: 'The greater, the sooner.' }),
    reasons: Type.Array(Type.String(), { description: 'The weightiest first.' }),
    openTasks: Type.Integer(),
    stuckTasks: Type.Integer({ description: 'Of them, blocked or dead-lettered.' }),
    hasFramework: Type.Optional(Type.Boolean()),
    lastHandoff: Type.Union([Type.String(), Type.Null()]),
  },
  closed,
)

export const reposPriority = defineTool({
  name: 'repos_priority',
  description: `Rank the repos by how much attention they need, the neediest first: open tasks, stale handoff, missing framework. Returns {count, repos, truncated}; of more than ${MAX_RANKED} repos the first by name are ranked.`,
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/repos/priority',
  input: Type.Object({}, closed),
  output: Type.Object({ count: Type.Integer(), repos: Type.Array(Row), truncated: Type.Boolean() }, closed),
  errors: [ManagedReposInvalid],
  uses: { ...knownReposUses, config, tasks: optional(taskFigures), handoffs: handoffTimes },
  async handle(_args, { config, tasks, handoffs, ...refs }, ctx) {
    const known = (await knownRepos(refs, ctx)).filter(({ enabled }) => enabled)
    const repos = await rank(known.slice(0, MAX_RANKED), { tasks, handoffs, checks: refs.files.checks }, ctx.now(), config.staleHandoffDays)
    return { count: repos.length, repos, truncated: known.length > MAX_RANKED }
  },
})

import { closed, defineTool, Type } from '@gateway/sdk'
import { ManagedReposInvalid } from '../errors.ts'
import { MAX_RANKED } from '../operations/rank.ts'
import { ranking, rankingUses } from '../operations/ranking.ts'

const Row = Type.Object(
  {
    name: Type.String(),
    attention: Type.Number({ description: 'Higher is more urgent.' }),
    reasons: Type.Array(Type.String(), { description: 'Most important first.' }),
    openTasks: Type.Integer(),
    stuckTasks: Type.Integer({ description: 'Open tasks that are blocked or dead-lettered.' }),
    hasFramework: Type.Optional(Type.Boolean()),
    lastHandoff: Type.Union([Type.String(), Type.Null()]),
  },
  closed,
)

export const reposPriority = defineTool({
  name: 'repos_priority',
  description: `Rank the repos by how much attention they need, the neediest first: open tasks, stale handoff, missing framework. Repos that are not listed count where they have open tasks. Returns {count, repos, truncated}; of more than ${MAX_RANKED} repos the first by name are ranked.`,
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/repos/priority',
  input: Type.Object({}, closed),
  output: Type.Object({ count: Type.Integer(), repos: Type.Array(Row), truncated: Type.Boolean() }, closed),
  errors: [ManagedReposInvalid],
  uses: rankingUses,
  async handle(_args, refs, ctx) {
    const { repos, truncated } = await ranking(refs, ctx)
    const rows = repos.map(({ parts, ...row }) => ({ ...row, reasons: parts.map(({ reason }) => reason) }))
    return { count: rows.length, repos: rows, truncated }
  },
})

import { taskFigures } from '@gateway/plugin-tasks/api'
import { type CallContext, optional, type Resolved } from '@gateway/sdk'
import { handoffTimes } from '../api.ts'
import { config } from '../config.ts'
import { knownRepos, knownReposUses } from './known-repos.ts'
import { MAX_RANKED, type Ranked, rank } from './rank.ts'

export const rankingUses = { ...knownReposUses, config, tasks: optional(taskFigures), handoffs: handoffTimes }

/**
 * Returns the single ranking of repos, which repos_priority, fleet_overview and morning_sweep share: the enabled repos of both
 * lists, then those that are in no list and have open tasks.
 */
export async function ranking(
  { config, tasks, handoffs, ...refs }: Resolved<typeof rankingUses>,
  ctx: CallContext,
): Promise<{ readonly repos: readonly Ranked[]; readonly truncated: boolean }> {
  const [listed, figures] = await Promise.all([knownRepos(refs, ctx), tasks?.openByRepo()])
  const open = figures && new Map(figures.map((one) => [one.repo, one]))
  const names = new Set(listed.map(({ name }) => name))
  const unlisted = [...(open?.keys() ?? [])].filter((name) => !names.has(name)).sort()
  const all = [...listed.filter(({ enabled }) => enabled), ...unlisted.map((name) => ({ name }))]
  const sources = { tasks, open, handoffs, checks: refs.files.checks }
  const repos = await rank(all.slice(0, MAX_RANKED), sources, ctx.now(), config.staleHandoffDays)
  return { repos, truncated: all.length > MAX_RANKED }
}

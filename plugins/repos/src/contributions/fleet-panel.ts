import { fleetPanel } from '@gateway/plugin-fleet/api'
import { contribute } from '@gateway/sdk'
import { ranking, rankingUses } from '../operations/ranking.ts'
import { repoHealth } from '../operations/repo-health.ts'
import { HEALTH, type Health } from '../rules/health.ts'

/** The health of the repos that are switched on, and the concerns that make up the ranking of repos_priority. */
export const reposPanel = contribute(fleetPanel, {
  uses: rankingUses,
  create: (refs, ctx) => ({
    name: 'repos',
    async figures() {
      const repos = (await repoHealth(refs, ctx)).filter(({ enabled }) => enabled)
      const of = (health: Health): number => repos.filter((one) => one.health === health).length
      return { count: repos.length, ...Object.fromEntries(HEALTH.map((health) => [health, of(health)])) }
    },
    async concerns() {
      const { repos } = await ranking(refs, ctx)
      return repos.flatMap(({ name: repo, parts }) => parts.map(({ weight, reason }) => ({ repo, weight, reason })))
    },
  }),
})

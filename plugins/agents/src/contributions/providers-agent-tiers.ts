import { agentTiers } from '@gateway/plugin-providers/api'
import { contribute } from '@gateway/sdk'
import { registry } from '../api.ts'
import { library } from '../operations/library.ts'

/** Tier that an agent requests in its front matter. */
export const tiers = contribute(agentTiers, {
  uses: { registry, library },
  create: ({ registry, library }, ctx) => ({
    tierOf: async (name) => (await registry.agent(name))?.tier,
    async all() {
      const { set } = await library.current(ctx.log)
      return Object.fromEntries([...set.agent.values()].flatMap(({ name, tier }) => (tier ? [[name, tier]] : [])))
    },
  }),
})

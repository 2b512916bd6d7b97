import { installedDefinitions } from '@gateway/plugin-agents/api'
import { contribute } from '@gateway/sdk'
import { installedPackages } from '../api.ts'
import { agentOf, skillOf } from '../rules/definition.ts'

/** Lists show no instructions, so none are read for them: each may have 8 MiB. */
const NOT_READ = ''

export const installed = contribute(installedDefinitions, {
  uses: { packages: installedPackages },
  create: ({ packages }) => ({
    agents: async () => (await packages.list('agent')).map((one) => agentOf(one, NOT_READ)),
    skills: async () => (await packages.list('skill')).map((one) => skillOf(one, NOT_READ)),
    async agent(name) {
      const one = await packages.get('agent', name)
      return one && agentOf(one, one.content)
    },
    async skill(name) {
      const one = await packages.get('skill', name)
      return one && skillOf(one, one.content)
    },
  }),
})

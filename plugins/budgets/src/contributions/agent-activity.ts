import { agentActivity, contribute, keyLabels, tenantAdmin } from '@gateway/sdk'
import { sums } from '../collections.ts'
import { usdOf } from '../rules/money.ts'

/** Spend of an agent, or of the keys with a label, by whole days. */
export const spendOfAgents = contribute(agentActivity, {
  uses: { sums, tenants: tenantAdmin },
  create: ({ sums, tenants }, { tenantId }) => ({
    async of({ name, since }) {
      const keys = [...(await keyLabels(tenants, tenantId))].flatMap(([id, label]) => (label === name ? [id] : []))
      const day = { gte: since.slice(0, 10) }
      const groups = await Promise.all([
        sums.group({ where: { dimension: 'agent', day, value: name }, by: ['dimension'], sum: ['nanos'] }),
        keys.length === 0
          ? []
          : sums.group({ where: { dimension: 'member', day, value: { in: keys } }, by: ['dimension'], sum: ['nanos'] }),
      ])
      // A key may have asked for the agent of its own name, so the larger of the two covers both.
      const [agent = 0, member = 0] = groups.map((group) => group.reduce((sum, { sums: { nanos = 0 } }) => sum + nanos, 0))
      return { spentUsd: usdOf(Math.max(agent, member)) }
    },
  }),
})

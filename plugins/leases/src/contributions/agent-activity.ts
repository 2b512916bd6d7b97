import { agentActivity, contribute, now } from '@gateway/sdk'
import { leases } from '../collections.ts'

/** Leases that are in force and held under a name. */
export const leasesOfAgents = contribute(agentActivity, {
  uses: { leases },
  create: ({ leases }) => ({
    async of({ name: holder, limit }) {
      const { items } = await leases.find({ where: { holder, leaseUntil: { gt: now() } }, sort: { acquiredAt: -1 }, limit })
      return {
        holds: items.map(({ key, acquiredAt, leaseUntil }) => ({ kind: 'lease', id: key, title: key, at: acquiredAt, until: leaseUntil })),
      }
    },
  }),
})

import { contribute, searchSource } from '@gateway/sdk'
import { nearest } from '@gateway/sdk/near'
import { machines } from '../collections.ts'

const MAX_MACHINES = 500

export const machineSearch = contribute(searchSource, {
  uses: { machines },
  create: ({ machines }) => ({
    kind: 'runner',
    names: {
      fields: ['machine'],
      list: async (limit) => (await machines.find({ sort: { lastHeartbeatAt: -1 }, limit })).items.map(({ machine }) => machine),
    },
    async find(query, limit) {
      const { items } = await machines.find({ sort: { lastHeartbeatAt: -1 }, limit: MAX_MACHINES })
      return nearest(query, items, ({ machine }) => machine, limit).map(({ machine, lastHeartbeatAt }) => ({
        id: machine,
        title: machine,
        at: lastHeartbeatAt,
        link: { to: '/runners' },
      }))
    },
  }),
})

import { now, provide } from '@gateway/sdk'
import { runnerAddresses } from '../api.ts'
import { machines } from '../collections.ts'
import { defaults } from '../schema.ts'

const MAX_LIVE = 1_000
const alive = { lastHeartbeatAt: { gte: now(-defaults.thresholdMinutes * 60) } }

export const addressesProvider = provide(runnerAddresses, {
  uses: { machines },
  create: ({ machines }) => ({
    async of(name) {
      const machine = (await machines.get(name)) ?? (await machines.get(name.split('/', 1)[0] ?? name))
      if (machine?.address !== undefined) return machine.address
      const { items } = await machines.find({ where: { holder: name }, sort: { lastHeartbeatAt: -1 }, limit: 1 })
      return items[0]?.address
    },
    async live() {
      const { items } = await machines.find({ where: alive, sort: { lastHeartbeatAt: -1 }, limit: MAX_LIVE })
      return items
        .flatMap(({ machine, address, capabilities = [] }) => (address === undefined ? [] : [{ machine, address, capabilities }]))
        .sort((a, b) => (a.machine < b.machine ? -1 : 1))
    },
    async heard() {
      if ((await machines.count(alive, { max: 1 })) > 0) return 'lately'
      return (await machines.count({}, { max: 1 })) > 0 ? 'earlier' : 'never'
    },
  }),
})

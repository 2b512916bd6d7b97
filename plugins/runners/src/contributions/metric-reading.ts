import { contribute, metricReading, now, sumThroughout, throughout } from '@gateway/sdk'
import { machines } from '../collections.ts'
import { machinesByState } from '../metrics.ts'
import { defaults } from '../schema.ts'

const MAX_COUNT = 10_000

export const machineReading = contribute(metricReading, {
  uses: { everywhere: throughout(machines), machinesByState },
  create({ everywhere, machinesByState }) {
    const sums = sumThroughout(everywhere, async (machines) => {
      const since = now(-defaults.thresholdMinutes * 60)
      const [alive, down] = await Promise.all([
        machines.count({ lastHeartbeatAt: { gte: since } }, { max: MAX_COUNT }),
        machines.count({ lastHeartbeatAt: { lt: since } }, { max: MAX_COUNT }),
      ])
      return { alive, down }
    })
    return {
      name: 'runners',
      async read() {
        const found = await sums()
        if (found) for (const state of ['alive', 'down']) machinesByState.set(found[state] ?? 0, state)
      },
    }
  },
})

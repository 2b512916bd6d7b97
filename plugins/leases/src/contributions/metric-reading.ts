import { contribute, metricReading, now, sumThroughout, throughout } from '@gateway/sdk'
import { leases } from '../collections.ts'
import { held } from '../metrics.ts'

const MAX_COUNT = 10_000

export const leaseReading = contribute(metricReading, {
  uses: { everywhere: throughout(leases), held },
  create({ everywhere, held }) {
    const sum = sumThroughout(everywhere, async (leases) => ({
      held: await leases.count({ leaseUntil: { gt: now() } }, { max: MAX_COUNT }),
    }))
    return {
      name: 'leases',
      async read() {
        const counts = await sum()
        if (counts) held.set(counts.held ?? 0)
      },
    }
  },
})

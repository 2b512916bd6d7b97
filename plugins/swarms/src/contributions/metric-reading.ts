import { contribute, metricReading, sumThroughout, throughout } from '@gateway/sdk'
import { swarms } from '../collections.ts'
import { byStatus } from '../metrics.ts'
import { STATUSES } from '../schema.ts'

const MAX_COUNT = 10_000

export const swarmReading = contribute(metricReading, {
  uses: { everywhere: throughout(swarms), byStatus },
  create({ everywhere, byStatus }) {
    const sum = sumThroughout(everywhere, async (swarms) => {
      const found = STATUSES.map(async (status) => [status, await swarms.count({ status }, { max: MAX_COUNT })] as const)
      return Object.fromEntries(await Promise.all(found))
    })
    return {
      name: 'swarms',
      async read() {
        const counts = await sum()
        if (counts) for (const status of STATUSES) byStatus.set(counts[status] ?? 0, status)
      },
    }
  },
})

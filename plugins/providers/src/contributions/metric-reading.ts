import { contribute, metricReading } from '@gateway/sdk'
import { usable } from '../metrics.ts'
import { host } from '../operations/host.ts'

export const providerReading = contribute(metricReading, {
  uses: { host, usable },
  create: ({ host, usable }, ctx) => ({
    name: 'providers',
    async read() {
      const now = ctx.now().getTime()
      for (const lane of host.lanes.values()) {
        const open = lane.maintenance === undefined && lane.breaker(now).state !== 'open'
        usable.set(open ? 1 : 0, lane.provider)
      }
    },
  }),
})

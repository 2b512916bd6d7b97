import { contribute, metricReading } from '@gateway/sdk'
import { usable } from '../metrics.ts'
import { pool } from '../operations/provider-pool.ts'

export const providerReading = contribute(metricReading, {
  uses: { pool, usable },
  create: ({ pool, usable }, ctx) => ({
    name: 'providers',
    async read() {
      const now = ctx.now().getTime()
      for (const gate of pool.gates.values()) {
        const open = gate.maintenance === undefined && gate.breaker(now).state !== 'open'
        usable.set(open ? 1 : 0, gate.provider)
      }
    },
  }),
})

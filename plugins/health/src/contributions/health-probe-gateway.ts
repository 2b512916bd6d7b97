import { getHeapStatistics } from 'node:v8'
import { contribute, healthProbe } from '@gateway/sdk'
import { lateTimer } from '../operations/late-timer.ts'
import { processFinding } from '../rules/process.ts'

export const gatewayProbe = contribute(healthProbe, {
  create: () => ({
    name: 'gateway',
    async check() {
      const { used_heap_size, heap_size_limit } = getHeapStatistics()
      return processFinding(await lateTimer(), used_heap_size, heap_size_limit)
    },
  }),
})

import { contribute, metricReading, throughout } from '@gateway/sdk'
import { tasks } from '../collections.ts'
import { byStatus, oldestReady } from '../metrics.ts'
import { queueReader } from '../operations/read-queue.ts'

export const queueReading = contribute(metricReading, {
  uses: { everywhere: throughout(tasks), byStatus, oldestReady },
  create: (refs, ctx) => ({ name: 'tasks', read: queueReader(refs, () => ctx.now()) }),
})

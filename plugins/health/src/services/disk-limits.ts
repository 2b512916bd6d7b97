import { defineService, provideProcess } from '@gateway/sdk'
import { config } from '../config.ts'

export interface DiskLimits {
  readonly diskDegradedMiB: number
  readonly diskUnhealthyMiB: number
}
export const diskLimits = defineService<DiskLimits>('health.disk-limits', 'process')

/** Refuses limits of which the first could never apply. */
export const diskLimitsProvider = provideProcess(diskLimits, {
  uses: { config },
  create({ config: { diskDegradedMiB, diskUnhealthyMiB } }) {
    if (diskDegradedMiB >= diskUnhealthyMiB) return { diskDegradedMiB, diskUnhealthyMiB }
    throw new Error(`diskDegradedMiB must be at least diskUnhealthyMiB, which is ${diskUnhealthyMiB}; got ${diskDegradedMiB}`)
  },
})

import { statfs } from 'node:fs/promises'
import { contribute, gatewayInfo, healthProbe } from '@gateway/sdk'
import { diskFinding } from '../rules/disk.ts'
import { diskLimits } from '../services/disk-limits.ts'

/** Free space for the store, the audit trail and everything else in the data folder. */
export const diskProbe = contribute(healthProbe, {
  uses: { gateway: gatewayInfo, limits: diskLimits },
  create: ({ gateway, limits }) => ({
    name: 'disk',
    async check() {
      const { bavail, bsize } = await statfs(gateway.dataDir)
      return diskFinding(bavail * bsize, limits)
    },
  }),
})

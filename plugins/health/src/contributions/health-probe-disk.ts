import { statfs } from 'node:fs/promises'
import { contribute, gatewayInfo, healthProbe } from '@gateway/sdk'
import { config } from '../config.ts'
import { diskFinding } from '../rules/disk.ts'

/** Free space for the store, the audit trail and everything else in the data folder. */
export const diskProbe = contribute(healthProbe, {
  uses: { gateway: gatewayInfo, config },
  create: ({ gateway, config }) => ({
    name: 'disk',
    async check() {
      const { bavail, bsize } = await statfs(gateway.dataDir)
      return diskFinding(bavail * bsize, config)
    },
  }),
})

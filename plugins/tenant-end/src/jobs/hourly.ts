import { defineJob, LOCAL_TENANT } from '@gateway/sdk'
import { purgeTrails } from '../operations/purge.ts'
import { snapshotUses, takeSnapshots } from '../operations/snapshot.ts'
import { sweep, sweepUses } from '../operations/sweep.ts'

/** Hourly, so that an interrupted removal continues soon. Families have their own daily retention. */
export const hourly = defineJob('tenant-end.hourly', {
  everySeconds: 3_600,
  uses: { ...sweepUses, snapshots: snapshotUses.snapshots },
  async run(refs, ctx) {
    // It works on all tenants, and leaves no record of itself in one that is about to be removed.
    if (ctx.tenantId !== LOCAL_TENANT) return
    await sweep(refs, 'erasure', ctx)
    await sweep(refs, 'cancellation', ctx)
    await purgeTrails(refs, ctx)
    await takeSnapshots(refs, ctx)
  },
})

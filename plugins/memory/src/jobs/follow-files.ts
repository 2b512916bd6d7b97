import { defineJob, HOUR_MS } from '@gateway/sdk'
import { followFiles, followUses } from '../operations/follow.ts'

/**
 * Notices files that were changed outside the gateway: in the first minute after a start and then once an hour. The job runs each
 * minute, because its schedule outlives a restart and would otherwise skip the check at the start.
 */
export const followFilesJob = defineJob('memory.follow-files', {
  everySeconds: 60,
  activeTenantsOnly: true,
  uses: followUses,
  async run(uses, ctx): Promise<{ refreshed: number }> {
    const { followed } = uses.engine
    const now = ctx.now().getTime()
    if (now - (followed.get(ctx.tenantId) ?? 0) < HOUR_MS) return { refreshed: 0 }
    followed.set(ctx.tenantId, now)
    return { refreshed: await followFiles(uses, ctx) }
  },
})

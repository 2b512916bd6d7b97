import { atomically, daysAgo, defineJob, tenantAdmin } from '@gateway/sdk'
import { handoffs, heads } from '../collections.ts'
import { config } from '../config.ts'

/** Repos with more entries than are kept anyway; a page of them is read at a time. */
const REPOS = 200
/** Small enough that other writers hardly wait. */
const BATCH = 50

/** Removes handoff entries past their retention, once a day, except the newest of each repo. A tenant under legal hold loses nothing. */
export const handoffRetention = defineJob('state.handoff-retention', {
  everySeconds: 86_400,
  uses: { handoffs, heads, config, tenants: tenantAdmin, atomically },
  async run({ handoffs, heads, config, tenants, atomically }, { tenantId, signal }): Promise<{ purged: number }> {
    let purged = 0
    const crowded = { entries: { gt: config.handoffsKept } }
    for (let cursor: string | undefined; ; ) {
      const page = await heads.find({ where: crowded, sort: { updatedAt: -1 }, limit: REPOS, ...(cursor !== undefined && { cursor }) })
      for (const { repo } of page.items) {
        for (let removed = BATCH; removed === BATCH; purged += removed) {
          if (signal.aborted || (await tenants.isHeld(tenantId))) return { purged }
          removed = await oldest(repo)
        }
      }
      cursor = page.nextCursor
      if (cursor === undefined) return { purged }
    }

    /** Removes the oldest entries of a repo that are past, at most a batch. */
    function oldest(repo: string): Promise<number> {
      return atomically(async (tx) => {
        const spare = ((await heads.in(tx).get(repo))?.entries ?? 0) - config.handoffsKept
        if (spare <= 0) return 0
        const { items } = await handoffs.in(tx).find({ where: { repo }, sort: { handoffId: 1 }, limit: Math.min(BATCH, spare) })
        let count = 0
        for (const { handoffId } of items) {
          const gone = await handoffs.in(tx).deleteOne(handoffId, { createdAt: { lt: daysAgo(config.handoffRetentionDays) } })
          if (!gone) break
          count++
        }
        if (count > 0) await heads.in(tx).updateOne(repo, { inc: { entries: -count } })
        return count
      })
    }
  },
})

import { defineJob, dueIn, now } from '@gateway/sdk'
import { type Refresh, refreshes } from '../collections.ts'
import { refreshGraph, refreshUses } from '../operations/refresh-graph.ts'

const due = { nextTryAt: { lte: now() } } as const
const PER_RUN = 5
/** A pushed commit reaches the folder of its repo when somebody fetches it. */
const RETRY_SECONDS = [300, 3_600]

export const refresh = defineJob('code-graph.refresh', {
  everySeconds: 15,
  activeTenantsOnly: true,
  due: [dueIn(refreshes, due)],
  uses: { ...refreshUses, refreshes },
  async run({ refreshes, ...refs }, ctx): Promise<{ refreshed: number }> {
    const { items } = await refreshes.find({ where: due, sort: { nextTryAt: 1 }, limit: PER_RUN })
    let refreshed = 0
    for (const { repo, commit, attempts, nextTryAt } of items) {
      if (ctx.signal.aborted) break
      const outcome = await refreshGraph(refs, repo, commit, ctx)
      if (outcome !== 'skipped') refreshed++
      const seconds = outcome === 'behind' ? RETRY_SECONDS[attempts] : undefined
      // The condition leaves a repo alone that was pushed to meanwhile.
      const asRead: Partial<Refresh> = { nextTryAt }
      if (seconds === undefined) await refreshes.deleteOne(repo, asRead)
      else await refreshes.updateOne(repo, { set: { attempts: attempts + 1, nextTryAt: now(seconds) } }, asRead)
    }
    return { refreshed }
  },
})

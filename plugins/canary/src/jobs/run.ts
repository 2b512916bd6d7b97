import { defineJob } from '@gateway/sdk'
import { keeping, keepRun, STATE } from '../operations/keep.ts'
import { makeRun, running } from '../operations/run.ts'

/** The job begins up to a second late, and a run takes a while. */
const EARLY_MS = 5_000

/** Checks every minute whether a run is due, so that a setting can choose the interval. */
export const run = defineJob('canary.run', {
  everySeconds: 60,
  gatewayWide: true,
  uses: { ...running, ...keeping },
  async run(refs, ctx): Promise<{ ran: boolean }> {
    const { disabled, intervalMinutes } = refs.config
    if (disabled) return { ran: false }
    const latest = (await refs.states.get(STATE))?.runs[0]
    const sinceMs = latest === undefined ? Number.POSITIVE_INFINITY : ctx.now().getTime() - Date.parse(latest.startedAt)
    // After a clock was set back the next run is due at once.
    if (sinceMs >= 0 && sinceMs < intervalMinutes * 60_000 - EARLY_MS) return { ran: false }
    await keepRun(refs, await makeRun(refs, ctx))
    return { ran: true }
  },
})

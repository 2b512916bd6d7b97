import { defineJob } from '@gateway/sdk'
import { type Cycle, cycling, runCycle, STATE } from '../operations/cycle.ts'

export const CYCLE_SECONDS = 60

/** Checks the gateway's health every minute, on the node of the job. A manual run also serves everybody. */
export const cycle = defineJob('health.cycle', {
  everySeconds: CYCLE_SECONDS,
  gatewayWide: true,
  uses: cycling,
  async run(refs, ctx): Promise<Cycle> {
    const records = refs.states.writable()
    const scheduledAt = ctx.now().toISOString()
    await records.upsert({ stateId: STATE, revision: 0, tracked: {}, scheduledAt }, { set: { scheduledAt } })
    return runCycle(refs, ctx)
  },
})

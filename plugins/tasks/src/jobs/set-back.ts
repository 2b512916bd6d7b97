import { type Collection, defineJob, type Filter, now } from '@gateway/sdk'
import { tasks } from '../collections.ts'
import { MAX_WAIT_SECONDS } from '../rules/backoff.ts'
import { MAX_LEASE_SECONDS, type Task } from '../schema.ts'

/** Two clocks of one fleet differ by less. */
const TOLERANCE_SECONDS = 60

/** Leases and waits longer than any may be: a clock that was ahead wrote them, and has been set back. */
const tooFar = {
  lease: { leaseUntil: { gt: now(MAX_LEASE_SECONDS + TOLERANCE_SECONDS) } },
  wait: { stage: 'delayed', nextRetryAt: { gt: now(MAX_WAIT_SECONDS + TOLERANCE_SECONDS) } },
} as const

/** Puts them right. Hourly; and at once after a step back, since this job itself ran in what is now the future. */
export const setBack = defineJob('tasks.set-back', {
  everySeconds: 3_600,
  uses: { tasks },
  async run({ tasks }, ctx): Promise<void> {
    const leases = await putBack(tasks, tooFar.lease, { leaseUntil: now(MAX_LEASE_SECONDS) })
    const waits = await putBack(tasks, tooFar.wait, { nextRetryAt: now() })
    if (leases + waits > 0) ctx.log.warn('times of tasks were further away than any may be: the clock was set back', { leases, waits })
  },
})

/** Asks first, as nearly always there are none, and asking is cheap. */
async function putBack(tasks: Collection<Task>, where: Filter<Task>, set: object): Promise<number> {
  return (await tasks.count(where, { max: 1 })) > 0 ? tasks.updateMany(where, { set }) : 0
}

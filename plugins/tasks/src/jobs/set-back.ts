import { CLOCK_TOLERANCE_SECONDS, type Collection, defineJob, type Filter, now, waitFor } from '@gateway/sdk'
import { tasks } from '../collections.ts'
import { taskClaimable } from '../operations/claimable.ts'
import { MAX_WAIT_SECONDS } from '../rules/backoff.ts'
import { MAX_LEASE_SECONDS, type Task } from '../schema.ts'

/** Leases and waits longer than allowed, written by a clock that ran ahead and was set back. */
const tooFar = {
  lease: { leaseUntil: { gt: now(MAX_LEASE_SECONDS + CLOCK_TOLERANCE_SECONDS) } },
  wait: { stage: 'delayed', nextRetryAt: { gt: now(MAX_WAIT_SECONDS + CLOCK_TOLERANCE_SECONDS) } },
} as const

/** Corrects them hourly, and at once after a step back, because this job itself then ran in the future. */
export const setBack = defineJob('tasks.set-back', {
  everySeconds: 3_600,
  uses: { tasks, arrivals: waitFor(taskClaimable) },
  async run({ tasks, arrivals }, ctx): Promise<void> {
    const leases = await putBack(tasks, tooFar.lease, { leaseUntil: now(MAX_LEASE_SECONDS) })
    const waits = await putBack(tasks, tooFar.wait, { nextRetryAt: now() })
    if (waits > 0) arrivals.lookAgain()
    if (leases + waits > 0) ctx.log.warn('times of tasks were further away than any may be: the clock was set back', { leases, waits })
  },
})

/** Checks first, because there are nearly always none and a check is cheap. */
async function putBack(tasks: Collection<Task>, where: Filter<Task>, set: object): Promise<number> {
  return (await tasks.count(where, { max: 1 })) > 0 ? tasks.updateMany(where, { set }) : 0
}

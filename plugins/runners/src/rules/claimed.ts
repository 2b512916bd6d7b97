import type { Task } from '@gateway/plugin-tasks/api'

/** True while this claim holds the task: it is the current one, and its lease has not run out. */
export const isClaimed = ({ status, claimId, leaseUntil = '' }: Task, claim: string, now: Date): boolean =>
  status === 'working' && claimId === claim && leaseUntil > now.toISOString()

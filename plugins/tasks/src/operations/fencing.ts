import { Conflict } from '@gateway/sdk'
import type { Task, UpdateArguments } from '../schema.ts'

/**
 * Refuses a worker whose claim is over: otherwise one that outlived its lease would overwrite its successor, or the decision of the
 * person who moved the task meanwhile.
 */
export function checkClaim(task: Task, claimId: string | undefined): void {
  if (claimId === undefined || claimId === task.claimId) return
  const state = task.claimId === undefined ? `it is ${task.status}` : `it was claimed again${task.claimedBy ? ` by ${task.claimedBy}` : ''}`
  throw Conflict({
    field: 'claimId',
    message: `\`claimId\` ${claimId} of task ${task.taskId} is no longer valid: ${state}. Stop working on the task.`,
  })
}

/** Refuses a worker that resumes a task it has left: without a new claim it would have no lease, and never return to the queue. */
export function checkResumed({ taskId, status }: Task, { status: wanted, claimId }: UpdateArguments): void {
  if (claimId === undefined || wanted !== 'working' || status === 'working') return
  const message = `\`status\` working with a claimId keeps a task at work, but ${taskId} is ${status}: claim it again with tasks_claim.`
  throw Conflict({ field: 'status', message })
}

/** Refuses to extend a lease for anyone but the worker that holds it. */
export function checkExtension({ taskId, status, claimId }: Task, { leaseSeconds, claimId: given }: UpdateArguments): void {
  if (leaseSeconds === undefined) return
  if (status !== 'working') {
    throw Conflict({ field: 'leaseSeconds', message: `\`leaseSeconds\` extends the lease of a working task; ${taskId} is ${status}.` })
  }
  // A task that was moved to working by an update has no claim.
  if (given === undefined || claimId === undefined) {
    const message = `\`leaseSeconds\` extends the lease of a claim: quote the claimId of task ${taskId}, from tasks_claim.`
    throw Conflict({ field: 'claimId', message })
  }
}

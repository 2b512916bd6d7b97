import { Conflict } from '@gateway/sdk'
import type { Task } from '../schema.ts'

/** Refuses a worker whose claim is over: otherwise one that outlived its lease would overwrite its successor. */
export function checkClaim(task: Task, claimId: string | undefined): void {
  if (claimId === undefined || claimId === task.claimId) return
  const state = task.claimId === undefined ? `it is ${task.status}` : `it was claimed anew${task.claimedBy ? ` by ${task.claimedBy}` : ''}`
  throw Conflict({ field: 'claimId', message: `The claim ${claimId} of task ${task.taskId} is over: ${state}. Stop working on it.` })
}

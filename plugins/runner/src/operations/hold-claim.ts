import { setTimeout as delay } from 'node:timers/promises'
import type { ServiceClient } from '@gateway/sdk'
import type { Task } from '../schema.ts'
import type { Stopper } from './halt.ts'
import { isPassing } from './service-error.ts'

/** With the grace of a stop, a run ends within two seconds after its claim is lost. */
const LOOK_MS = 700

/** Limit of a request while a claim is held: two tries fit between an extension of the lease at a third of its time and its end. */
export const extensionMs = ({ leaseSeconds }: { readonly leaseSeconds: number }): number => Math.ceil((leaseSeconds * 1_000) / 6)

export interface Hold {
  readonly client: ServiceClient
  readonly taskId: string
  readonly claimId: string
  readonly leaseSeconds: number
  readonly stopper: Stopper
  /** Extends the slot of the runner with each lease. */
  readonly extended?: () => Promise<void>
}

/**
 * Extends the lease of a claim at a third of its time and stops the run when the claim is lost: the task was finished, stopped,
 * paused, deleted or claimed again. While the gateway does not answer the run goes on, because nothing is delivered without an answer.
 * Runs until `done` aborts.
 */
export async function holdClaim(hold: Hold, done: AbortSignal): Promise<void> {
  // The clock of the machine may be set while a run goes on.
  const now = (): number => performance.now()
  let extendAt = 0
  while (!done.aborted) {
    try {
      if (now() >= extendAt) {
        const sent = now()
        await extendLease(hold)
        extendAt = sent + (hold.leaseSeconds * 1_000) / 3
        await hold.extended?.()
      } else {
        const { task } = (await hold.client.get(`/api/tasks/${encodeURIComponent(hold.taskId)}`)) as { task: Task }
        if (task.status !== 'working') return hold.stopper.stop('claim', `The task is ${task.status}.`)
        if (task.claimId !== hold.claimId) return hold.stopper.stop('claim', 'The task was claimed again.')
      }
    } catch (error) {
      if (done.aborted) return
      if (!isPassing(error)) return hold.stopper.stop('claim', (error as Error).message)
    }
    await delay(LOOK_MS, undefined, { signal: done }).catch(() => undefined)
  }
}

/** Extends the lease; throws CONFLICT if the claim is no longer valid. */
export const extendLease = ({ client, taskId, claimId, leaseSeconds }: Omit<Hold, 'stopper'>): Promise<object> =>
  client.call('tasks_update', { taskId, claimId, leaseSeconds })

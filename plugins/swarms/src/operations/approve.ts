import { taskQueue } from '@gateway/plugin-tasks/api'
import { atomically, Conflict, checkUnchanged, now, type Principal, principalName, type Resolved, resourceUpdated } from '@gateway/sdk'
import { swarms } from '../collections.ts'
import { SwarmOverBudget } from '../errors.ts'
import { isOverBudget } from '../rules/progress.ts'
import { swarmUri } from '../rules/swarm-uri.ts'
import type { Swarm } from '../schema.ts'
import { approvedNews, swarmApproved } from './news.ts'
import { unknownSwarm } from './view.ts'

export const approveUses = { swarms, atomically, queue: taskQueue, approved: swarmApproved, updated: resourceUpdated }
type Refs = Resolved<typeof approveUses>

export interface Approval {
  readonly swarmId: string
  readonly approvedBy: string
  readonly principal: Principal
  readonly ifUpdatedAt?: string | undefined
}

/** Starts a swarm; `approved` is the number of released children. */
export function approveSwarm(refs: Refs, approval: Approval): Promise<{ swarm: Swarm; approved: number }> {
  const { swarmId, approvedBy, principal, ifUpdatedAt } = approval
  return refs.atomically(async (tx) => {
    const before = await refs.swarms.in(tx).get(swarmId)
    if (!before) throw unknownSwarm(swarmId)
    checkUnchanged(before, ifUpdatedAt)
    const { status, tokenBudget = 0, tokensSpent } = before
    if (status !== 'paused' && status !== 'stopped') {
      throw Conflict({ field: 'swarmId', message: `\`swarmId\` must name a paused or stopped swarm; ${swarmId} is ${status}.` })
    }
    if (isOverBudget(before)) throw SwarmOverBudget({ swarmId, tokenBudget, tokensSpent })
    const swarm = await refs.swarms.in(tx).updateOne(swarmId, {
      set: { status: 'active', approvedBy, approvedByPrincipal: principalName(principal), approvedAt: now(), updatedAt: now() },
      unset: ['pausedBy', 'stoppedBy', 'stoppedByPrincipal', 'stoppedAt', 'stopReason'],
    })
    // After the swarm itself, which keeps pending children paused for as long as it is not active.
    const approved = await refs.queue.swarms(tx).resume(swarmId)
    tx.afterCommit(() => refs.updated.emit({ uri: swarmUri(swarmId) }))
    await refs.approved.emit(approvedNews(swarm ?? before), tx)
    return { swarm: swarm ?? before, approved: approved.length }
  })
}

import { type CallContext, type Due, now, type Resolved, type Wait } from '@gateway/sdk'
import { claimGate } from '../api.ts'
import { promotionTimes } from '../services/promotion-times.ts'
import type { Claimable } from './claimable.ts'
import { promoteDue, promoteUses } from './promote.ts'
import { fits, type Wanted } from './selection.ts'

const dueUses = { ...promoteUses, gates: claimGate, promotionTimes }
type Refs = Resolved<typeof dueUses>

interface Awaited extends Wanted {
  readonly taskId?: string | undefined
  readonly waitSeconds?: number | undefined
}

type Arrival = Pick<Wait<Claimable, unknown>, 'seconds' | 'wants' | 'concerns'> &
  Required<Pick<Wait<Claimable, unknown>, 'dueAt' | 'whenDue'>>

export function arrivalOf(refs: Refs, { waitSeconds = 0, taskId, ...wanted }: Awaited, ctx: CallContext): Arrival {
  const { repo, ignoreRepos, localModels, assignedAgents, unassigned, exceptAgents } = wanted
  return {
    seconds: waitSeconds,
    wants: JSON.stringify([taskId, repo, ignoreRepos, localModels, assignedAgents, unassigned, exceptAgents]),
    concerns: (task) => task.readyFor !== undefined && (taskId ?? task.taskId) === task.taskId && fits(wanted, task.repo, task.readyFor),
    dueAt: ({ nextRetryAt }) => (nextRetryAt === undefined ? undefined : Date.parse(nextRetryAt)),
    whenDue: () => whenDue(refs, ctx),
  }
}

/**
 * Promotes what is due and finds the next time at which a task becomes claimable by itself. While a gate is closed that is when it
 * opens. An expired lease is no such time: its task waits for the backoff after a failure, and its release is reported.
 */
async function whenDue(refs: Refs, ctx: CallContext): Promise<Due | undefined> {
  for (const gate of refs.gates) {
    const state = await gate.check()
    if (!state.open) return state.until === undefined ? undefined : { at: Date.parse(state.until), lookAgain: true }
  }
  // It opened after a call had found it closed.
  if (refs.promotionTimes.wasClosed(ctx.tenantId)) return { at: ctx.now().getTime(), lookAgain: true }
  await promoteDue(refs)
  const { items } = await refs.tasks.find({ where: { stage: 'delayed', nextRetryAt: { gt: now() } }, sort: { nextRetryAt: 1 }, limit: 1 })
  const [next] = items
  return next?.nextRetryAt === undefined ? undefined : { at: Date.parse(next.nextRetryAt) }
}

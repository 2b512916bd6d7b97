import { type CallContext, type Claim, now, type Resolved } from '@gateway/sdk'
import { claimGate } from '../api.ts'
import { tasks } from '../collections.ts'
import { promoteDue, promotionTimes } from '../promotions.ts'
import type { Task } from '../schema.ts'
import { accepts, byRank, selection, type Wanted } from './selection.ts'

export const queueUses = { tasks, gates: claimGate, promotionTimes }
type Refs = Resolved<typeof queueUses>

export interface ClaimRequest extends Wanted {
  readonly claimedBy: string
  readonly leaseSeconds: number
  readonly taskId?: string | undefined
}
export type ClaimResult = { readonly claimed: true; readonly task: Task } | { readonly claimed: false; readonly reason?: string }

/** Take a task: one atomic step in the store, so that of all who want it exactly one gets it. */
export async function claimTask(refs: Refs, request: ClaimRequest, ctx: CallContext): Promise<ClaimResult> {
  const reason = await closedGate(refs)
  if (reason !== undefined) return { claimed: false, reason }
  if (request.taskId !== undefined) return claimOne(refs, request.taskId, request, ctx)
  const task = await firstReady(refs, request, ctx, (where) => refs.tasks.claim({ where, sort: byRank, update: claimed(request, ctx) }))
  return task ? { claimed: true, task } : { claimed: false }
}

/** The task that a claim with the same wishes would take now. */
export async function nextTask(refs: Refs, wanted: Wanted, ctx: CallContext): Promise<Task | undefined> {
  if ((await closedGate(refs)) !== undefined) return undefined
  return firstReady(refs, wanted, ctx, async (where) => (await refs.tasks.find({ where, sort: byRank, limit: 1 })).items[0])
}

async function closedGate({ gates }: Refs): Promise<string | undefined> {
  for (const gate of gates) {
    const state = await gate.check()
    if (!state.open) return state.until === undefined ? state.reason : `${state.reason} (until ${state.until})`
  }
  return undefined
}

type Take = (where: NonNullable<Awaited<ReturnType<typeof selection>>>) => Promise<Task | undefined>

async function firstReady(refs: Refs, wanted: Wanted, ctx: CallContext, take: Take): Promise<Task | undefined> {
  const attempt = async (): Promise<Task | undefined> => {
    const where = await selection(refs.tasks, wanted)
    return where && take(where)
  }
  if (refs.promotionTimes.due(ctx.tenantId, ctx.now().getTime())) await promoteDue(refs.tasks)
  // Nobody leaves with nothing while a task has just become due.
  return (await attempt()) ?? ((await promoteDue(refs.tasks)) > 0 ? attempt() : undefined)
}

function claimed({ claimedBy, leaseSeconds }: ClaimRequest, ctx: CallContext): Claim<Task>['update'] {
  return {
    set: {
      status: 'working',
      claimedBy,
      claimedAt: now(),
      startedAt: now(),
      updatedAt: now(),
      leaseUntil: now(leaseSeconds),
      claimId: ctx.newId('claim-'),
    },
    unset: ['queue', 'nextRetryAt', 'completedAt'],
  }
}

/** The rules of the queue hold for a task that is asked for by its id as well. */
async function claimOne({ tasks }: Refs, taskId: string, request: ClaimRequest, ctx: CallContext): Promise<ClaimResult> {
  const found = await tasks.get(taskId)
  if (!found) return { claimed: false, reason: `There is no task ${taskId}.` }
  if (!accepts(request)(found.lane)) return { claimed: false, reason: `Task ${taskId} is excluded by repo, ignoreRepos or localModels.` }
  const task = await tasks.updateOne(taskId, claimed(request, ctx), {
    status: 'pending',
    waitingOn: 0,
    lane: found.lane,
    not: { nextRetryAt: { gt: now() } },
  })
  return task ? { claimed: true, task } : { claimed: false, reason: heldBack(found) }
}

function heldBack({ taskId, status, waitingOn, dependsOn, nextRetryAt }: Task): string {
  if (status !== 'pending') return `Task ${taskId} is ${status}.`
  if (waitingOn > 0) return `Task ${taskId} waits for ${waitingOn} of its upstreams ${dependsOn.join(', ')}.`
  return nextRetryAt ? `Task ${taskId} is not to be tried before ${nextRetryAt}.` : `Task ${taskId} was taken by another claimer.`
}

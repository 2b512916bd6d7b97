import { type CallContext, type Claim, now, principalName, type Resolved, resourceUpdated, type Transaction, waitFor } from '@gateway/sdk'
import { claimGate, type ReadyQuery, type Taking } from '../api.ts'
import { tasks } from '../collections.ts'
import { claims } from '../metrics.ts'
import type { CreateArguments, Task } from '../schema.ts'
import { promotionTimes } from '../services/promotion-times.ts'
import { taskClaimable } from './claimable.ts'
import { createTaskIn, type newTaskUses } from './create.ts'
import { promoteDue } from './promote.ts'
import { announceResources } from './resource-news.ts'
import { accepts, addressedLike, byRank, heads, partOf, selections, type Wanted } from './selection.ts'
import { announceTaken, takenUses } from './taken.ts'
import { arrivalOf } from './wait.ts'

export const queueUses = {
  tasks,
  gates: claimGate,
  promotionTimes,
  claims,
  claimable: taskClaimable,
  arrivals: waitFor(taskClaimable),
  ...takenUses,
  updated: resourceUpdated,
}
type Refs = Resolved<typeof queueUses>

/** `waitSeconds`: if there is nothing, how long to wait for it. */
interface Patience {
  readonly waitSeconds?: number | undefined
}
export interface ClaimRequest extends Wanted, Taking, Patience {
  readonly taskId?: string | undefined
}
export type ClaimResult = { readonly claimed: true; readonly task: Task } | { readonly claimed: false; readonly reason?: string }

/** Claims a task: one atomic step in the store, so that exactly one of all claimers gets it. */
export async function claimTask(refs: Refs, request: ClaimRequest, ctx: CallContext): Promise<ClaimResult> {
  const result = await awaitTask(refs, request, ctx)
  if (result.claimed) await announceTaken(refs, result.task.taskId, ctx)
  refs.claims.add(1, result.claimed ? 'claimed' : 'empty')
  if (!result.claimed) {
    ctx.changedNothing()
    return result
  }
  announceResources(refs.updated, result.task, true)
  return result
}

async function awaitTask(refs: Refs, request: ClaimRequest, ctx: CallContext): Promise<ClaimResult> {
  const look = (): Promise<ClaimResult> => takeTask(refs, request, ctx)
  if (!request.waitSeconds) return look()
  try {
    return await refs.arrivals.until({
      ...arrivalOf(refs, request, ctx),
      look,
      isAnswer: ({ claimed }) => claimed,
      took: ({ taskId }, result) => result.claimed && result.task.taskId === taskId,
    })
  } catch (error) {
    // A wait is never cut off while it takes a task.
    if (ctx.signal.aborted) ctx.changedNothing()
    throw error
  }
}

async function takeTask(refs: Refs, request: ClaimRequest, ctx: CallContext): Promise<ClaimResult> {
  const reason = await closedGate(refs, ctx)
  if (reason !== undefined) return { claimed: false, reason }
  if (request.taskId !== undefined) return claimOne(refs, request.taskId, request, ctx)
  const task = await onQueue(refs, ctx, () => claimFirst(refs, request, ctx))
  return task ? { claimed: true, task: task } : { claimed: false }
}

/** The task that a claim with the same wishes would take now, or the reason why it would take nothing. */
export async function nextTask(refs: Refs, wanted: Wanted & Patience, ctx: CallContext): Promise<{ task: Task | null; reason?: string }> {
  const look = async (): Promise<{ task: Task | null; reason?: string }> => {
    const reason = await closedGate(refs, ctx)
    if (reason !== undefined) return { task: null, reason }
    return { task: (await onQueue(refs, ctx, () => firstTask(refs, wanted))) ?? null }
  }
  if (!wanted.waitSeconds) return look()
  return refs.arrivals.until({ ...arrivalOf(refs, wanted, ctx), look, isAnswer: ({ task }) => task !== null })
}

async function firstTask({ tasks }: Refs, wanted: Wanted): Promise<Task | undefined> {
  const { parts, seen } = await selections(tasks, wanted)
  return seen ?? (await heads(tasks, parts))[0]
}

/** Reason why nothing may be claimed now, for the claimer; `undefined` while all gates are open. */
export async function closedGate(
  { gates, promotionTimes }: Pick<Refs, 'gates' | 'promotionTimes'>,
  ctx: CallContext,
): Promise<string | undefined> {
  for (const gate of gates) {
    const state = await gate.check()
    if (state.open) continue
    promotionTimes.foundClosed(ctx.tenantId)
    return state.until === undefined ? state.reason : `${state.reason} (until ${state.until})`
  }
  return undefined
}

/** Runs `take` on an up-to-date queue, and again if it found nothing while a task has just become due. */
async function onQueue(refs: Refs, ctx: CallContext, take: () => Promise<Task | undefined>): Promise<Task | undefined> {
  if (refs.promotionTimes.due(ctx.tenantId, ctx.now().getTime())) await promoteDue(refs)
  return (await take()) ?? ((await promoteDue(refs)) > 0 ? take() : undefined)
}

async function claimFirst(refs: Refs, request: ClaimRequest, ctx: CallContext): Promise<Task | undefined> {
  const { tasks } = refs
  const { parts } = await selections(tasks, request)
  const ordered = parts.length > 1 ? (await heads(tasks, parts)).map(partOf) : parts
  for (const where of ordered) {
    const task = await tasks.claim({ where, sort: byRank, update: claimed(request, ctx) })
    if (task) return task
  }
  // The queue was empty, or others were faster and there is more elsewhere.
  return (await firstTask(refs, request)) ? claimFirst(refs, request, ctx) : undefined
}

function claimed({ claimedBy, leaseSeconds }: Taking, ctx: CallContext): Claim<Task>['update'] {
  return {
    set: {
      status: 'working',
      stage: 'working',
      claimedBy,
      claimedByPrincipal: principalName(ctx.principal),
      workedBy: claimedBy,
      claimedAt: now(),
      startedAt: now(),
      updatedAt: now(),
      leaseUntil: now(leaseSeconds),
      leasedAt: now(),
      claimId: ctx.newId('claim-'),
      claimNews: true,
    },
    unset: ['readyFor', 'nextRetryAt', 'completedAt'],
  }
}

/** Creates a task that is being worked on from the start and never visible in the queue. */
export async function createClaimed(
  tx: Transaction,
  refs: Resolved<typeof newTaskUses>,
  draft: CreateArguments,
  taking: Taking,
  ctx: CallContext,
): Promise<Task> {
  const task = await createTaskIn(tx, refs, draft, ctx)
  const { claimNews: _mark, ...working } = (await refs.tasks.in(tx).updateOne(task.taskId, claimed(taking, ctx))) ?? task
  return working
}

/** Claimable tasks, in the order in which they would be claimed. */
export async function readyTasks(refs: Refs, { limit, ...wanted }: ReadyQuery, ctx: CallContext): Promise<readonly Task[]> {
  if (refs.promotionTimes.due(ctx.tenantId, ctx.now().getTime())) await promoteDue(refs)
  return (await refs.tasks.find({ where: { stage: 'ready', ...wanted }, sort: byRank, limit })).items
}

/** The rules of the queue also hold for a task that is claimed by its id. */
async function claimOne({ tasks }: Refs, taskId: string, request: ClaimRequest, ctx: CallContext): Promise<ClaimResult> {
  const found = await tasks.get(taskId)
  if (!found) return { claimed: false, reason: `There is no task ${taskId}.` }
  if (!accepts(request, found))
    return { claimed: false, reason: `Task ${taskId} is excluded by repo, ignoreRepos, localModels or assignedAgents.` }
  const task = await tasks.updateOne(taskId, claimed(request, ctx), {
    status: 'pending',
    waitingOn: 0,
    repo: found.repo,
    ...addressedLike(found),
    not: { nextRetryAt: { gt: now() } },
  })
  return task ? { claimed: true, task: task } : { claimed: false, reason: heldBack(found) }
}

function heldBack({ taskId, status, waitingOn, dependsOn, nextRetryAt }: Task): string {
  if (status !== 'pending') return `Task ${taskId} is ${status}.`
  if (waitingOn > 0) return `Task ${taskId} waits for ${waitingOn} of its upstreams ${dependsOn.join(', ')}.`
  return nextRetryAt ? `Task ${taskId} is not to be tried before ${nextRetryAt}.` : `Task ${taskId} was taken by another claimer.`
}

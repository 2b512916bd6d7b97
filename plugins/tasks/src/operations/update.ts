import {
  atomically,
  BadRequest,
  type CallContext,
  checkUnchanged,
  Forbidden,
  NotFound,
  type Resolved,
  type Transaction,
} from '@gateway/sdk'
import { BulkBlockGuard, DependencyCycle, TooManyDependents, UnknownDependency } from '../errors.ts'
import { isAutomated } from '../rules/automated.ts'
import { revised } from '../rules/revise.ts'
import type { Task, UpdateArguments } from '../schema.ts'
import { alertIfRefused, guardBlock, guardUses } from './block-guard.ts'
import { changeUses, writeChange } from './change.ts'
import { relink } from './dependencies.ts'
import { checkClaim, checkExtension, checkResumed } from './fencing.ts'
import { endedBefore, endsUses } from './pull-request-ends.ts'
import { checkReplacement } from './replacement.ts'
import { countStreaks, reportStreaks, type Streaks, streakUses } from './streaks.ts'

export const updateUses = { ...changeUses, ...guardUses, ...streakUses, ...endsUses, atomically }
export const updateErrors = [BulkBlockGuard, UnknownDependency, DependencyCycle, TooManyDependents]
type Refs = Resolved<typeof updateUses>
type Update = UpdateArguments & { readonly ifUpdatedAt?: string | undefined }

/** Updates a task in one atomic step; `note` is a line to add to its notes. */
export async function updateTask(refs: Refs, update: Update, ctx: CallContext, note?: string): Promise<Task> {
  checkTogether(update)
  checkAuthority(update, ctx)
  try {
    const { task, streaks } = await refs.atomically((tx) => apply(refs, update, note, tx))
    reportStreaks(refs, streaks, task, ctx)
    return task
  } catch (error) {
    alertIfRefused(refs, update.taskId, error)
    throw error
  }
}

async function apply(refs: Refs, update: Update, note: string | undefined, tx: Transaction): Promise<{ task: Task; streaks: Streaks }> {
  const before = await refs.tasks.in(tx).get(update.taskId)
  if (!before) throw NotFound({ what: 'task', id: update.taskId })
  checkUnchanged(before, update.ifUpdatedAt)
  checkClaim(before, update.claimId)
  checkExtension(before, update)
  checkResumed(before, update)
  await checkReplacement(refs, before.taskId, update.supersededBy, tx)
  await guardBlock(refs, before, update, tx)
  const dependsOn = update.dependsOn && [...new Set(update.dependsOn)]
  const waitingOn = dependsOn ? await relink(refs, before, dependsOn, tx) : before.waitingOn
  const changed = revised(before, update, { now: tx.now, waitingOn, dependsOn, note })
  const task = await writeChange(refs, before, await endedBefore(refs, before, changed, tx), tx)
  return { task, streaks: await countStreaks(refs, before, update, tx) }
}

/** Throws BAD_REQUEST for arguments that do not go together, whatever the task is like. */
export function checkTogether(update: Pick<UpdateArguments, 'status' | 'deferSeconds' | 'pacingDefer' | 'leaseSeconds'>): void {
  checkDefer(update)
  checkLease(update)
}

function checkDefer({ status, deferSeconds, pacingDefer }: Pick<UpdateArguments, 'status' | 'deferSeconds' | 'pacingDefer'>): void {
  if (status === 'pending' || (deferSeconds === undefined && pacingDefer !== true)) return
  const field = deferSeconds === undefined ? 'pacingDefer' : 'deferSeconds'
  throw BadRequest({ field, message: `\`${field}\` goes only with status pending; got ${status ? `status ${status}` : 'no status'}.` })
}

/** A task that leaves working has no lease any more. */
function checkLease({ status, leaseSeconds }: Pick<UpdateArguments, 'status' | 'leaseSeconds'>): void {
  if (leaseSeconds === undefined || status === undefined || status === 'working') return
  throw BadRequest({
    field: 'leaseSeconds',
    message: `\`leaseSeconds\` does not go with status ${status}: only a working task has a lease.`,
  })
}

/** An authorization is given by a person: an automated caller cannot give it. */
function checkAuthority({ operatorAuthorized }: UpdateArguments, ctx: CallContext): void {
  if (operatorAuthorized !== true || !isAutomated(ctx)) return
  throw Forbidden({
    message: `\`operatorAuthorized\` may be given by the local operator or a signed-in user only; the caller is automated (${ctx.principal.byModel ? 'a model' : ctx.principal.kind}).`,
  })
}

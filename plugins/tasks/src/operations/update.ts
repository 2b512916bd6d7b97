import { atomically, BadRequest, type CallContext, Forbidden, NotFound, type Resolved, type Transaction } from '@gateway/sdk'
import { BulkBlockGuard, DependencyCycle, UnknownDependency } from '../errors.ts'
import { revised } from '../rules/revise.ts'
import type { Task, UpdateArguments } from '../schema.ts'
import { alertIfRefused, guardBlock, guardUses } from './block-guard.ts'
import { changeUses, writeChange } from './change.ts'
import { relink } from './dependencies.ts'
import { checkClaim } from './fencing.ts'

export const updateUses = { ...changeUses, ...guardUses, atomically }
export const updateErrors = [BulkBlockGuard, UnknownDependency, DependencyCycle]
type Refs = Resolved<typeof updateUses>

/** Update a task in one atomic step; `note` is a line to add to its notes. */
export async function updateTask(refs: Refs, update: UpdateArguments, ctx: CallContext, note?: string): Promise<Task> {
  checkDefer(update)
  checkAuthority(update, ctx)
  try {
    const task = await refs.atomically((tx) => apply(refs, update, note, tx))
    reportCounters(refs, update, task, ctx)
    return task
  } catch (error) {
    alertIfRefused(refs, update.taskId, error)
    throw error
  }
}

async function apply(refs: Refs, update: UpdateArguments, note: string | undefined, tx: Transaction): Promise<Task> {
  const before = await refs.tasks.in(tx).get(update.taskId)
  if (!before) throw NotFound({ what: 'task', id: update.taskId })
  checkClaim(before, update.claimId)
  await guardBlock(refs, before, update, tx)
  const dependsOn = update.dependsOn && [...new Set(update.dependsOn)]
  const waitingOn = dependsOn ? await relink(refs, before, dependsOn, tx) : before.waitingOn
  return writeChange(refs, before, revised(before, update, { now: tx.now, waitingOn, dependsOn, note }), tx)
}

function checkDefer({ status, deferSeconds, pacingDefer }: UpdateArguments): void {
  if (status === 'pending' || (deferSeconds === undefined && pacingDefer !== true)) return
  const field = deferSeconds === undefined ? 'pacingDefer' : 'deferSeconds'
  throw BadRequest({ field, message: `\`${field}\` goes only with status pending; got ${status ? `status ${status}` : 'no status'}.` })
}

/** An authorization is a person’s word: an automated caller cannot give it. */
function checkAuthority({ operatorAuthorized }: UpdateArguments, { principal }: CallContext): void {
  if (operatorAuthorized !== true || (principal.kind !== 'system' && principal.kind !== 'api-key')) return
  throw Forbidden({
    message: `\`operatorAuthorized\` may be given by the local operator or a signed-in user only; the caller is automated (${principal.kind}).`,
  })
}

function reportCounters({ alerts, config }: Refs, update: UpdateArguments, task: Task, { log }: CallContext): void {
  const { taskId, repo, title, routeExhaustedCount: exhausted, noopDispatchCount: noops } = task
  if (update.status === 'pending' && exhausted > 0 && exhausted % config.starvationThreshold === 0) {
    alerts.emit({
      level: 'warning',
      source: 'tasks.starvation',
      title: 'A task finds no route',
      message: `Task ${taskId} (${title}) of repo ${repo} was given back ${exhausted} times in a row for want of a route.`,
    })
  }
  if (update.status === 'review' && update.noopDispatch && noops >= config.noopThreshold) {
    log.warn('consecutive dispatches of a task changed only docs or state', { taskId, repo, noopDispatchCount: noops })
  }
}

import { alertRaised, isToolError, type Resolved, type Transaction } from '@gateway/sdk'
import { blocks } from '../collections.ts'
import { config } from '../config.ts'
import { BulkBlockGuard } from '../errors.ts'
import { admitBlock } from '../rules/block-window.ts'
import type { Task, UpdateArguments } from '../schema.ts'

export const guardUses = { blocks, config, alerts: alertRaised }
type Refs = Resolved<typeof guardUses>

/**
 * Keeps a runaway agent from blocking a whole repo. Counts a move into blocked against the repo's window and throws
 * BulkBlockGuard when the window is full. An authorized move is neither refused nor counted; a task in `supersededBy` was found before.
 */
export async function guardBlock(refs: Refs, before: Task, update: UpdateArguments, tx: Transaction): Promise<void> {
  if (update.status !== 'blocked' || before.status === 'blocked') return
  if (update.supersededBy !== undefined || update.operatorAuthorized === true) return
  const { bulkBlockThreshold: threshold, bulkBlockWindowMinutes: windowMinutes } = refs.config
  const window = refs.blocks.in(tx)
  const { repo } = before
  const times = admitBlock((await window.get(repo))?.times ?? [], { threshold, windowMinutes }, tx.now)
  if (!times) throw BulkBlockGuard({ repo, threshold, windowMinutes })
  await window.upsert({ repo, times }, { set: { times } })
}

/** Raised here instead of at the refusal: a refusal rolls its transaction back, and the alert must outlive that. */
export function alertIfRefused(refs: Refs, taskId: string, error: unknown): void {
  if (!isToolError(error) || error.code !== BulkBlockGuard.code) return
  refs.alerts.emit({
    level: 'warning',
    source: 'tasks.bulk-block',
    title: 'Mass blocking of tasks refused',
    message: `${error.message} The refused task is ${taskId}.`,
  })
}

import { type CallContext, cutText, defined, isToolError, type Resolved } from '@gateway/sdk'
import { repoNames } from '../api.ts'
import { cancellationNote } from '../rules/notes.ts'
import { checkOperation, lenientOperation, type Operation } from '../rules/operation.ts'
import { readOperation } from '../rules/operation-fault.ts'
import { resolveReferences } from '../rules/references.ts'
import type { CreateArguments, Task, UpdateArguments } from '../schema.ts'
import { createTask, createUses } from './create.ts'
import { repoName } from './repo-name.ts'
import { updateTask, updateUses } from './update.ts'

export const bulkUses = { ...createUses, ...updateUses, names: repoNames }
type Refs = Resolved<typeof bulkUses>

interface Verdict {
  index: number
  action: string
  ok: boolean
  taskId?: string
  task?: Task
  error?: string
  code?: string
}

/** Runs the operations in order, each as if called alone; a later one may refer to a task that an earlier one created. */
export async function runBatch(refs: Refs, operations: readonly unknown[], stopOnError: boolean, ctx: CallContext): Promise<Verdict[]> {
  const created = new Map<number, string>()
  const verdicts: Verdict[] = []
  let halted: number | undefined
  for (const [index, entry] of operations.entries()) {
    const operation = lenientOperation(entry)
    const verdict = halted === undefined ? await attempt(refs, operation, index, created, ctx) : skipped(operation, index, halted)
    verdicts.push(verdict)
    if (verdict.ok && verdict.action === 'create' && verdict.taskId !== undefined) created.set(index, verdict.taskId)
    if (!verdict.ok && stopOnError) halted ??= index
    ctx.progress(index + 1, operations.length)
  }
  return verdicts
}

async function attempt(
  refs: Refs,
  entry: unknown,
  index: number,
  created: ReadonlyMap<number, string>,
  ctx: CallContext,
): Promise<Verdict> {
  const { action, ...named } = namesOf(entry)
  let { taskId } = named
  try {
    const operation = readOperation(entry, index)
    checkOperation(operation, index)
    const resolved = resolveReferences(operation, created)
    taskId = resolved.taskId
    const repo = await repoName(refs.names, resolved.repo, { stores: true })
    const task = await run(refs, { ...resolved, ...defined({ repo }) }, ctx)
    return { index, action, ok: true, taskId: task.taskId, task: task }
  } catch (error) {
    if (!isToolError(error)) ctx.log.error('an operation of a batch failed with an undeclared error', { index, action, err: error })
    const failure = isToolError(error) ? { error: error.message, code: error.code } : { error: 'Internal error.', code: 'INTERNAL_ERROR' }
    return { index, action, ok: false, ...defined({ taskId }), ...failure }
  }
}

function skipped(entry: unknown, index: number, halted: number): Verdict {
  const { action, taskId } = namesOf(entry)
  const error = `Skipped, because operation ${halted} failed and stopOnError is set.`
  return { index, action, ok: false, ...defined({ taskId }), error, code: 'SKIPPED' }
}

/** The action and the task that a verdict names, also of an entry that is malformed. */
function namesOf(entry: unknown): { readonly action: string; readonly taskId?: string } {
  const { action, taskId } = (entry ?? {}) as { action?: unknown; taskId?: unknown }
  return {
    action: typeof action === 'string' ? cutText(action, MAX_NAME) : 'unknown',
    ...(typeof taskId === 'string' && { taskId: cutText(taskId, MAX_NAME) }),
  }
}
const MAX_NAME = 100

async function run(refs: Refs, { action, reason, ...args }: Operation, ctx: CallContext): Promise<Task> {
  switch (action) {
    case 'create':
      return createTask(refs, args as CreateArguments, ctx)
    case 'cancel': {
      const note = cancellationNote(reason, args.supersededBy)
      return updateTask(refs, { ...(args as UpdateArguments), status: 'blocked' }, ctx, note)
    }
    case 'update':
    case 'reprioritize':
      return updateTask(refs, args as UpdateArguments, ctx)
  }
}

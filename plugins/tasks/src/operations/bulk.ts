import { type CallContext, defined, isToolError, type Resolved } from '@gateway/sdk'
import { cancellationNote } from '../rules/notes.ts'
import { checkOperation, type Operation } from '../rules/operation.ts'
import { resolveReferences } from '../rules/references.ts'
import type { CreateArguments, Task, UpdateArguments } from '../schema.ts'
import { createTask, createUses } from './create.ts'
import { updateTask, updateUses } from './update.ts'

export const bulkUses = { ...createUses, ...updateUses }
type Refs = Resolved<typeof bulkUses>

interface Verdict {
  index: number
  action: Operation['action']
  ok: boolean
  taskId?: string
  task?: Task
  error?: string
  code?: string
}

/** Run the operations in order, each on its own as if called alone; a later one may refer to what an earlier one created. */
export async function runBatch(refs: Refs, operations: readonly Operation[], stopOnError: boolean, ctx: CallContext): Promise<Verdict[]> {
  const created = new Map<number, string>()
  const verdicts: Verdict[] = []
  let halted: number | undefined
  for (const [index, operation] of operations.entries()) {
    const verdict = halted === undefined ? await attempt(refs, operation, index, created, ctx) : skipped(operation, index, halted)
    verdicts.push(verdict)
    if (verdict.ok && operation.action === 'create' && verdict.taskId !== undefined) created.set(index, verdict.taskId)
    if (!verdict.ok && stopOnError) halted ??= index
    ctx.progress(index + 1, operations.length)
  }
  return verdicts
}

async function attempt(
  refs: Refs,
  operation: Operation,
  index: number,
  created: ReadonlyMap<number, string>,
  ctx: CallContext,
): Promise<Verdict> {
  const { action } = operation
  let { taskId } = operation
  try {
    checkOperation(operation, index)
    const resolved = resolveReferences(operation, created)
    taskId = resolved.taskId
    const task = await run(refs, resolved, ctx)
    return { index, action, ok: true, taskId: task.taskId, task: task }
  } catch (error) {
    if (!isToolError(error)) ctx.log.error('an operation of a batch failed with an undeclared error', { index, action, err: error })
    const told = isToolError(error) ? { error: error.message, code: error.code } : { error: 'Internal error.', code: 'INTERNAL_ERROR' }
    return { index, action, ok: false, ...defined({ taskId }), ...told }
  }
}

function skipped({ action, taskId }: Operation, index: number, halted: number): Verdict {
  const error = `Skipped, because operation ${halted} failed and stopOnError is set.`
  return { index, action, ok: false, ...defined({ taskId }), error, code: 'SKIPPED' }
}

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

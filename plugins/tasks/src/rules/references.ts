import { UnknownReference } from '../errors.ts'

/** `$N`: the task that operation N of the same batch created. */
const REFERENCE = /^\$(\d+)$/

/**
 * Resolves a reference to an id. `created` holds the ids created so far by operation index; others were not created earlier, or
 * failed. `field` names the argument in the error.
 */
function resolveReference(value: string, field: string, created: ReadonlyMap<number, string>): string {
  const index = REFERENCE.exec(value)?.[1]
  if (index === undefined) return value
  const taskId = created.get(Number(index))
  if (taskId !== undefined) return taskId
  throw UnknownReference({ field, reference: value })
}

interface Referring {
  readonly taskId?: string
  readonly supersededBy?: string
  readonly dependsOn?: readonly string[]
}

/** The operation with every reference replaced by its id. Throws UnknownReference. */
export function resolveReferences<T extends Referring>(operation: T, created: ReadonlyMap<number, string>): T {
  const { taskId, supersededBy, dependsOn } = operation
  return {
    ...operation,
    ...(taskId !== undefined && { taskId: resolveReference(taskId, 'taskId', created) }),
    ...(supersededBy !== undefined && { supersededBy: resolveReference(supersededBy, 'supersededBy', created) }),
    ...(dependsOn && { dependsOn: dependsOn.map((id, i) => resolveReference(id, `dependsOn[${i}]`, created)) }),
  }
}

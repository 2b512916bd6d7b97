import { UnknownReference } from '../errors.ts'

/** `$N`: the task that operation N of the same batch created. */
const REFERENCE = /^\$(\d+)$/

/**
 * The id that a value stands for. `created` holds the ids made so far by operation index; what is not in it is no
 * earlier create, or one that failed. `field` names the argument in the error.
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

/** The operation with every reference replaced by the id it stands for. Throws UnknownReference. */
export function resolveReferences<T extends Referring>(operation: T, created: ReadonlyMap<number, string>): T {
  const { taskId, supersededBy, dependsOn } = operation
  return {
    ...operation,
    ...(taskId !== undefined && { taskId: resolveReference(taskId, 'taskId', created) }),
    ...(supersededBy !== undefined && { supersededBy: resolveReference(supersededBy, 'supersededBy', created) }),
    ...(dependsOn && { dependsOn: dependsOn.map((id, i) => resolveReference(id, `dependsOn[${i}]`, created)) }),
  }
}

import { defineError, Type } from '@gateway/sdk'

export const TaskWorking = defineError('TASK_WORKING', {
  status: 409,
  description: 'A working task cannot be deleted: end its work with tasks_update or tasks_fail, or wait for its lease to run out.',
  details: Type.Object({ taskId: Type.String(), leaseUntil: Type.Optional(Type.String()) }),
  message: ({ taskId, leaseUntil }) =>
    `Task ${taskId} cannot be deleted while it is working${leaseUntil ? ` (until ${leaseUntil})` : ''}; end its work first (tasks_update or tasks_fail).`,
})

export const BulkBlockGuard = defineError('BULK_BLOCK_GUARD', {
  status: 409,
  description:
    'Too many tasks of one repo were moved into blocked within the window. Name the replacing task (supersededBy), let a person authorize it (operatorAuthorized), or wait.',
  details: Type.Object({ repo: Type.String(), threshold: Type.Integer(), windowMinutes: Type.Number() }),
  message: ({ repo, threshold, windowMinutes }) =>
    `Repo ${repo} already had ${threshold} tasks blocked within ${windowMinutes} minutes; give supersededBy, or operatorAuthorized from a person, to block more.`,
})

export const UnknownDependency = defineError('UNKNOWN_DEPENDENCY', {
  status: 400,
  description: 'An entry of dependsOn names no task of this tenant.',
  details: Type.Object({ field: Type.String(), taskIds: Type.Array(Type.String()) }),
  message: ({ field, taskIds }) => `\`${field}\` names tasks that do not exist: ${taskIds.join(', ')}.`,
})

export const DependencyCycle = defineError('DEPENDENCY_CYCLE', {
  status: 400,
  description:
    'The new dependsOn would make tasks wait for each other; `path` is the cycle, in which each task waits for the next. The middle of a long cycle is left out.',
  details: Type.Object({ field: Type.String(), path: Type.Array(Type.String()) }),
  message: ({ field, path }) => `\`${field}\` would close a cycle: ${path.join(' waits for ')}.`,
})

export const TooManyDependents = defineError('TOO_MANY_DEPENDENTS', {
  status: 409,
  description:
    'The number of tasks that wait for one task is limited, because releasing them all at once would delay everybody: let some wait for a task in between.',
  details: Type.Object({ field: Type.String(), taskId: Type.String(), max: Type.Integer() }),
  message: ({ field, taskId, max }) =>
    `\`${field}\` names ${taskId}, for which ${max} tasks wait already, which is the limit; let some of them wait for another task that depends on it.`,
})

export const UnknownReference = defineError('UNKNOWN_REFERENCE', {
  status: 400,
  description: '$N in a bulk operation stands for the task created by an earlier operation N of the same batch, counted from 0.',
  details: Type.Object({ field: Type.String(), reference: Type.String() }),
  message: ({ field, reference }) =>
    `\`${field}\` refers to ${reference}, but no earlier operation ${reference.slice(1)} of this batch created a task.`,
})

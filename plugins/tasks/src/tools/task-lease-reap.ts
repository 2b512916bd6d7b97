import { closed, defineTool, type JobRun, Type } from '@gateway/sdk'
import { leaseReap, type Reaped } from '../jobs/lease-reap.ts'

export const taskLeaseReap = defineTool({
  name: 'task_lease_reap',
  description:
    'Release tasks stuck in working because their worker died and the lease ran out, by the rules of tasks_fail. The gateway does this by itself every half minute; call it to have it now. Returns {released, requeued, deadLettered, taskIds}.',
  capability: 'work',
  effect: 'write',
  idempotent: true,
  input: Type.Object({}, closed),
  output: Type.Object(
    {
      released: Type.Integer(),
      requeued: Type.Integer({ description: 'Released tasks that are pending again.' }),
      deadLettered: Type.Integer({ description: 'Released tasks without retries left.' }),
      taskIds: Type.Array(Type.String()),
    },
    closed,
  ),
  uses: { reap: leaseReap },
  handle: async (_args, { reap }) => total(await reap.run()),
})

function total(runs: readonly JobRun<Reaped>[]): Reaped {
  const sum = (count: (reaped: Reaped) => number): number => runs.reduce((total, run) => total + count(run.result), 0)
  return {
    released: sum((reaped) => reaped.released),
    requeued: sum((reaped) => reaped.requeued),
    deadLettered: sum((reaped) => reaped.deadLettered),
    taskIds: runs.flatMap((run) => run.result.taskIds),
  }
}

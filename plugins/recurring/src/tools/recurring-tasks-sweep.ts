import { closed, defineTool, type JobRun, Type } from '@gateway/sdk'
import { type Swept, sweep } from '../jobs/sweep.ts'

export const recurringTasksSweep = defineTool({
  name: 'recurring_tasks_sweep',
  description:
    'Fire every template that is due, in all tenants. The gateway does this continuously; call it to have it now. Returns {fired, enqueued, skipped, taskIds}.',
  capability: 'operator',
  effect: 'write',
  input: Type.Object({}, closed),
  output: Type.Object(
    {
      fired: Type.Integer({ description: 'Templates that were due.' }),
      enqueued: Type.Integer(),
      skipped: Type.Integer({ description: 'Due templates whose previous task is open.' }),
      taskIds: Type.Array(Type.String()),
    },
    closed,
  ),
  uses: { sweep },
  handle: async (_args, { sweep }) => total(await sweep.run()),
})

function total(runs: readonly JobRun<Swept>[]): Swept {
  const sum = (count: (swept: Swept) => number): number => runs.reduce((total, run) => total + count(run.result), 0)
  return {
    fired: sum(({ fired }) => fired),
    enqueued: sum(({ enqueued }) => enqueued),
    skipped: sum(({ skipped }) => skipped),
    taskIds: runs.flatMap(({ result }) => result.taskIds),
  }
}

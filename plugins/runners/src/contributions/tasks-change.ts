import { randomInt } from 'node:crypto'
import { taskChange } from '@gateway/plugin-tasks/api'
import { type Collection, contribute, type Infer, now } from '@gateway/sdk'
import { executions } from '../collections.ts'
import { executionsEnded } from '../metrics.ts'
import { endsExecution, hasFailed, STEP_SECONDS, stepOf } from '../rules/execution.ts'
import type { Lane } from '../rules/lanes.ts'

/**
 * Number of documents per lane and step: every end of a task adds to one of them, and transactions that change the same one wait
 * for each other.
 */
const PARTS = 64

/** Counts an execution together with the change of the task that ends it. A task that names no lane ran on the primary one. */
export const executionCounter = contribute(taskChange, {
  uses: { executions, executionsEnded },
  create: ({ executions, executionsEnded }) => ({
    async apply({ before, after }, tx) {
      if (!endsExecution(before, after)) return
      const lane: Lane = after.executionLane ?? 'primary'
      const from = stepOf(tx.now)
      const countId = `${lane} ${from} ${randomInt(PARTS)}`
      const failed = hasFailed(after) ? 1 : 0
      executionsEnded.add(1, lane, failed === 1 ? 'failed' : 'finished')
      await executions.in(tx).upsert({ countId, lane, from, count: 1, failed }, { inc: { count: 1, failed } })
    },
  }),
})

/** Counts executions per lane that ended in the given last hours, and up to ten minutes before. */
export async function countExecutions(
  counts: Collection<Infer<(typeof executions)['schema']>>,
  hours: number,
): Promise<ReadonlyMap<string, number>> {
  const where = { from: { gt: now(-(hours * 3_600 + STEP_SECONDS)) } }
  const groups = await counts.group({ where, by: ['lane'], sum: ['count'] })
  return new Map(groups.map(({ key, sums }) => [String(key[0]), sums.count ?? 0]))
}

import { atomically, Conflict, checkUnchanged, closed, defineTool, ifUpdatedAt, NotFound, now, Type } from '@gateway/sdk'
import { runs } from '../collections.ts'
import { shownRun } from '../rules/run.ts'
import { OUTCOMES, runId, written } from '../schema.ts'

export const fleetRunFinish = defineTool({
  name: 'fleet_run_finish',
  description: 'Close a fleet run as completed or aborted; from then on its repos do not change. Returns {run}.',
  capability: 'work',
  effect: 'write',
  idempotent: true,
  rest: 'POST /api/fleet/runs/:runId/finish',
  input: Type.Object({ runId, status: Type.Enum(OUTCOMES), ifUpdatedAt }, closed),
  output: written,
  uses: { runs, atomically },
  async handle({ runId, status, ifUpdatedAt: expected }, { runs, atomically }) {
    return atomically(async (tx) => {
      if (expected !== undefined) checkUnchanged(await runs.in(tx).get(runId), expected)
      const closed = await runs.in(tx).updateOne(runId, { set: { status, finishedAt: now(), updatedAt: now() } }, { status: 'running' })
      const run = closed ?? (await runs.in(tx).get(runId))
      if (!run) throw NotFound({ what: 'fleet run', id: runId })
      // A repeated request, after a lost answer, finds the run closed with the requested status.
      if (run.status !== status) throw Conflict({ field: 'status', message: `The fleet run ${runId} is already ${run.status}.` })
      return { run: shownRun(run) }
    })
  },
})

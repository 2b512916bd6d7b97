import { atomically, Conflict, checkUnchanged, closed, defineTool, ifUpdatedAt, NotFound, Type } from '@gateway/sdk'
import { runs } from '../collections.ts'
import { checkSize, progressed, shownRun } from '../rules/run.ts'
import { progressFields, repo, runId, written } from '../schema.ts'

export const fleetRunRepoUpdate = defineTool({
  name: 'fleet_run_repo_update',
  description:
    'Report the progress of one repo of a running fleet run; omitted fields stay. A repo the run does not have yet is added. Returns {run}.',
  capability: 'work',
  effect: 'write',
  idempotent: true,
  rest: 'POST /api/fleet/runs/:runId/repos',
  input: Type.Object({ runId, repo, ...progressFields, ifUpdatedAt }, closed),
  output: written,
  uses: { runs, atomically },
  async handle({ runId, repo, ifUpdatedAt: expected, ...progress }, { runs, atomically }) {
    return atomically(async (tx) => {
      const run = await runs.in(tx).get(runId)
      if (!run) throw NotFound({ what: 'fleet run', id: runId })
      checkUnchanged(run, expected)
      if (run.status !== 'running') throw Conflict({ field: 'runId', message: `The fleet run ${runId} is ${run.status}; start another.` })
      const at = tx.now.toISOString()
      const repos = progressed(run.repos, repo, progress, at)
      checkSize({ repos }, 'repo')
      const after = await runs.in(tx).updateOne(runId, { set: { repos, updatedAt: at } })
      return { run: shownRun(after ?? run) }
    })
  },
})

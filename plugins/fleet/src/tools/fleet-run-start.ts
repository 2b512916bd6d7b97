import { atomically, closed, defineTool, Type } from '@gateway/sdk'
import { runs } from '../collections.ts'
import { checkSize, MAX_REPOS, shownRun, startingRepos } from '../rules/run.ts'
import { agent, FleetRun, machine, runId, runType, StartingRepo } from '../schema.ts'

export const fleetRunStart = defineTool({
  name: 'fleet_run_start',
  description:
    'Open a fleet run over several repos, with the state of each and recommendations. An existing run of the same runId is replaced. Returns {run, replaced}.',
  capability: 'work',
  effect: 'write',
  idempotent: true,
  rest: 'POST /api/fleet/runs',
  status: 201,
  input: Type.Object(
    {
      runId: Type.Optional(runId),
      type: Type.Optional(runType),
      machine: Type.Optional(machine),
      agent: Type.Optional(agent),
      repos: Type.Optional(
        Type.Array(StartingRepo, {
          maxItems: MAX_REPOS,
          description: 'An entry for each repo, named by repo; other fields, such as its overnight state, are kept.',
        }),
      ),
    },
    closed,
  ),
  output: Type.Object({ run: FleetRun, replaced: Type.Boolean() }, closed),
  uses: { runs, atomically },
  async handle({ runId: asked, type = 'morning-resume-all', repos = [], ...by }, { runs, atomically }, ctx) {
    const runId = asked ?? ctx.newId('fleet-run-')
    return atomically(async (tx) => {
      const at = tx.now.toISOString()
      const run = { runId, type, ...by, status: 'running', startedAt: at, updatedAt: at, repos: startingRepos(repos, at) } as const
      checkSize(run, 'repos')
      const before = await runs.in(tx).deleteOne(runId)
      return { run: shownRun(await runs.in(tx).insert(run)), replaced: before !== undefined }
    })
  },
})

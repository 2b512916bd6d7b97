import { closed, defineTool, Type } from '@gateway/sdk'
import { runs } from '../collections.ts'
import { shownRun } from '../rules/run.ts'
import { FleetRun } from '../schema.ts'

export const fleetRunLatest = defineTool({
  name: 'fleet_run_latest',
  description: 'Show the fleet run that was started last, with its repos. Returns {run}, null before the first.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/fleet/runs/latest',
  input: Type.Object({}, closed),
  output: Type.Object({ run: Type.Union([FleetRun, Type.Null()]) }, closed),
  uses: { runs },
  async handle(_args, { runs }) {
    const [run] = (await runs.find({ sort: { startedAt: -1, runId: -1 }, limit: 1 })).items
    return { run: run ? shownRun(run) : null }
  },
})

import { closed, defineRoute, NotFound, Type } from '@gateway/sdk'
import { runs } from '../collections.ts'
import { shownRun } from '../rules/run.ts'
import { runId, written } from '../schema.ts'

export const fleetRunGet = defineRoute({
  name: 'fleet.run',
  description: 'Look a fleet run up by its id. Returns {run}.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/fleet/runs/:runId',
  input: Type.Object({ runId }, closed),
  output: written,
  uses: { runs },
  async handle({ runId }, { runs }) {
    const run = await runs.get(runId)
    if (!run) throw NotFound({ what: 'fleet run', id: runId })
    return { run: shownRun(run) }
  },
})

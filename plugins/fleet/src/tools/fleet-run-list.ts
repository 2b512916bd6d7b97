import { closed, defineTool, rowLimit, Type } from '@gateway/sdk'
import { runs } from '../collections.ts'
import { progressOf } from '../rules/run.ts'
import { ACTION_STATUSES, runFields } from '../schema.ts'

const ROWS = rowLimit(20, 100)
const counts = Type.Object(Object.fromEntries(ACTION_STATUSES.map((status) => [status, Type.Integer()])), closed)

export const fleetRunList = defineTool({
  name: 'fleet_run_list',
  description:
    'List recent fleet runs, newest first, each with the number of its repos by progress. Returns {runs}; fleet_run_latest shows the repos themselves.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/fleet/runs',
  input: Type.Object({ limit: ROWS.argument }, closed),
  output: Type.Object({ runs: Type.Array(Type.Object({ ...runFields, repoCount: Type.Integer(), progress: counts }, closed)) }, closed),
  uses: { runs },
  async handle({ limit }, { runs }) {
    const { items } = await runs.find({ sort: { startedAt: -1, runId: -1 }, limit: ROWS.of(limit) })
    const rows = items.map((stored) => {
      const { repos, ...run } = stored
      return { ...run, repoCount: repos.length, progress: progressOf(stored) }
    })
    return { runs: rows }
  },
})

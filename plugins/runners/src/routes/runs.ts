import { closed, defineRoute, Type } from '@gateway/sdk'
import { lane, Run, runsAtWork, runUses } from '../operations/runs.ts'

export const runnersRuns = defineRoute({
  name: 'runners.runs',
  description: 'List the tasks that runners work on now, by lane. Returns {runs}, the latest first.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/runners/runs',
  input: Type.Object({ lane: Type.Optional(lane) }, closed),
  output: Type.Object({ runs: Type.Array(Run) }, closed),
  uses: runUses,
  handle: async ({ lane }, uses) => ({ runs: [...(await runsAtWork(uses, lane))] }),
})

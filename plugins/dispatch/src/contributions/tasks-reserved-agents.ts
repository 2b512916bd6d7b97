import { reservedAgents } from '@gateway/plugin-tasks/api'
import { contribute } from '@gateway/sdk'
import { dispatchRunner } from '../api.ts'

/** A dispatch cycle does the tasks of these agents. */
export const agentsHere = contribute(reservedAgents, {
  uses: { runners: dispatchRunner },
  create: ({ runners }) => ({
    names: async () => (await Promise.all(runners.map((runner) => runner.agents()))).flat(),
  }),
})

import type { ReservedAgents } from '@gateway/plugin-tasks/api'
import type { DispatchRunner } from '../api.ts'

/** Tasks that a dispatch cycle does itself. */
export const reservedHere = (runners: readonly DispatchRunner[]): ReservedAgents => ({
  names: async () => (await Promise.all(runners.map((runner) => runner.agents()))).flat(),
  serves: (model) => runners.some((runner) => runner.serves(model)),
})

import { reservedAgents } from '@gateway/plugin-tasks/api'
import { contribute } from '@gateway/sdk'
import { dispatchRunner } from '../api.ts'
import { reservedHere } from '../operations/reserved.ts'

export const agentsHere = contribute(reservedAgents, {
  uses: { runners: dispatchRunner },
  create: ({ runners }) => reservedHere(runners),
})

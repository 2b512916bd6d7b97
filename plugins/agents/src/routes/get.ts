import { closed, defineRoute, NotFound, Type } from '@gateway/sdk'
import { registry } from '../api.ts'
import { Agent, nameArgument } from '../schema.ts'

export const agentsGet = defineRoute({
  name: 'agents.get',
  description: 'Returns an agent with its instructions.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/agents/:name',
  input: Type.Object({ name: nameArgument }, closed),
  output: Agent,
  uses: { registry },
  async handle({ name }, { registry }) {
    const agent = await registry.agent(name)
    if (!agent) throw NotFound({ what: 'agent', id: name })
    return agent
  },
})

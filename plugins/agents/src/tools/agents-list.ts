import { closed, defineTool, Type } from '@gateway/sdk'
import { registry } from '../api.ts'
import { AgentSummary, CATEGORIES, leftOut, searchArgument, source } from '../schema.ts'

export const agentsList = defineTool({
  name: 'agents_list',
  description:
    'List the specialist agents that agents_invoke can ask, by name. source says whether the store answered or the copy in memory. Returns {count, leftOut, source, agents}.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/agents',
  input: Type.Object({ category: Type.Optional(Type.Enum(CATEGORIES)), search: searchArgument }, closed),
  output: Type.Object({ count: Type.Integer(), leftOut, source, agents: Type.Array(AgentSummary) }, closed),
  uses: { registry },
  async handle(filter, { registry }) {
    const { source, leftOut, items } = await registry.agents(filter)
    return { count: items.length, leftOut, source, agents: [...items] }
  },
})

import { closed, defineTool, Type } from '@gateway/sdk'
import { registry } from '../api.ts'
import { leftOut, SkillSummary, searchArgument, source } from '../schema.ts'

export const skillsList = defineTool({
  name: 'skills_list',
  description:
    'List the skills, playbooks that skills_invoke runs, with the words that call for them. Returns {count, leftOut, source, skills}.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/skills',
  input: Type.Object(
    {
      agent: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Only skills of this agent.' })),
      search: searchArgument,
    },
    closed,
  ),
  output: Type.Object({ count: Type.Integer(), leftOut, source, skills: Type.Array(SkillSummary) }, closed),
  uses: { registry },
  async handle(filter, { registry }) {
    const { source, leftOut, items } = await registry.skills(filter)
    return { count: items.length, leftOut, source, skills: [...items] }
  },
})

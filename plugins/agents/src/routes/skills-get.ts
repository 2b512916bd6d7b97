import { closed, defineRoute, NotFound, Type } from '@gateway/sdk'
import { registry } from '../api.ts'
import { nameArgument, Skill } from '../schema.ts'

export const skillsGet = defineRoute({
  name: 'skills.get',
  description: 'Returns a skill with its playbook.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/skills/:name',
  input: Type.Object({ name: nameArgument }, closed),
  output: Skill,
  uses: { registry },
  async handle({ name }, { registry }) {
    const skill = await registry.skill(name)
    if (!skill) throw NotFound({ what: 'skill', id: name })
    return skill
  },
})

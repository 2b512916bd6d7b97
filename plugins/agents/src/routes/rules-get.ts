import { closed, defineRoute, NotFound, Type } from '@gateway/sdk'
import { registry } from '../api.ts'
import { nameArgument, Rule } from '../schema.ts'

export const rulesGet = defineRoute({
  name: 'rules.get',
  description: 'Returns a rule with its content.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/rules/:name',
  input: Type.Object({ name: nameArgument }, closed),
  output: Rule,
  uses: { registry },
  async handle({ name }, { registry }) {
    const rule = await registry.rule(name)
    if (!rule) throw NotFound({ what: 'rule', id: name })
    return rule
  },
})

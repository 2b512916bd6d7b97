import { closed, defineRoute, Type } from '@gateway/sdk'
import { registry } from '../api.ts'
import { RuleSummary, source } from '../schema.ts'

export const rulesList = defineRoute({
  name: 'rules.list',
  description: 'List the rules that agents follow here.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/rules',
  input: Type.Object({ category: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })) }, closed),
  output: Type.Object({ count: Type.Integer(), source, rules: Type.Array(RuleSummary) }, closed),
  uses: { registry },
  async handle(filter, { registry }) {
    const { source, items } = await registry.rules(filter)
    return { count: items.length, source, rules: [...items] }
  },
})

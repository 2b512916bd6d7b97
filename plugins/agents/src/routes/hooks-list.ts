import { closed, defineRoute, Type } from '@gateway/sdk'
import { registry } from '../api.ts'
import { Hook, source } from '../schema.ts'

export const hooksList = defineRoute({
  name: 'hooks.list',
  description: 'List the instructions that agent clients follow at events.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/hooks',
  input: Type.Object({}, closed),
  output: Type.Object({ count: Type.Integer(), source, hooks: Type.Array(Hook) }, closed),
  uses: { registry },
  async handle(_input, { registry }) {
    const { source, items } = await registry.hooks()
    return { count: items.length, source, hooks: [...items] }
  },
})

import { defineRoute, Type } from '@gateway/sdk'
import { registry } from '../api.ts'
import { Hook, source } from '../schema.ts'

export const hooksList = defineRoute({
  name: 'hooks.list',
  description: 'List what clients of agents should do when something happens.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/hooks',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({ count: Type.Integer(), source, hooks: Type.Array(Hook) }, { additionalProperties: false }),
  uses: { registry },
  async handle(_input, { registry }) {
    const { source, items } = await registry.hooks()
    return { count: items.length, source, hooks: [...items] }
  },
})

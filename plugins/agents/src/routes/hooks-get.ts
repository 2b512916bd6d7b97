import { closed, defineRoute, NotFound, Type } from '@gateway/sdk'
import { registry } from '../api.ts'
import { Hook, nameArgument } from '../schema.ts'

export const hooksGet = defineRoute({
  name: 'hooks.get',
  description: 'Returns the instructions that agent clients follow at an event.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/hooks/:name',
  input: Type.Object({ name: nameArgument }, closed),
  output: Hook,
  uses: { registry },
  async handle({ name }, { registry }) {
    const hook = await registry.hook(name)
    if (!hook) throw NotFound({ what: 'hook', id: name })
    return hook
  },
})

import { closed, defineRoute, NotFound, Type } from '@gateway/sdk'
import { forgetOne, forgetUses } from '../operations/forget.ts'
import { forgetOutput } from '../operations/forget-arguments.ts'

export const forgetOneRoute = defineRoute({
  name: 'memory.forget',
  description: 'Forget one chunk for good, or one atom of the brain by its path. Returns {forgotten}.',
  capability: 'work',
  effect: 'destructive',
  rest: 'DELETE /api/memory/:chunkId',
  input: Type.Object({ chunkId: Type.String({ minLength: 1, maxLength: 500 }) }, closed),
  output: forgetOutput,
  uses: forgetUses,
  async handle({ chunkId }, uses, ctx) {
    if (!(await forgetOne(chunkId, uses, ctx))) throw NotFound({ what: 'chunk', id: chunkId })
    return { forgotten: 1 }
  },
})

import { closed, defineRoute, Type } from '@gateway/sdk'
import { brainUses } from '../operations/refs.ts'
import { reindex } from '../operations/reindex.ts'

export const brainReindex = defineRoute({
  name: 'brain.reindex',
  description:
    'Make the index of your brain anew from its repository, where `gateway doctor` says that it does not fit. Returns how many atoms it has, and the commit main is at.',
  capability: 'configure',
  effect: 'write',
  rest: 'POST /api/brain/reindex',
  // Reads the whole repository.
  timeoutMs: 0,
  input: Type.Object({}, closed),
  output: Type.Object({ atoms: Type.Integer(), commit: Type.String() }, closed),
  uses: brainUses,
  handle: (_, refs, ctx) => reindex(refs, ctx),
})

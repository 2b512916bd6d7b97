import { closed, defineRoute, Type } from '@gateway/sdk'
import { brainUses } from '../operations/refs.ts'
import { reindex } from '../operations/reindex.ts'

export const brainReindex = defineRoute({
  name: 'brain.reindex',
  description:
    'Rebuild the index of your brain from its repository, when `gateway doctor` reports that they differ. Returns the number of atoms, and the commit of main, if there is one.',
  capability: 'configure',
  effect: 'write',
  rest: 'POST /api/brain/reindex',
  // Reads the whole repository.
  timeoutMs: 0,
  input: Type.Object(
    {
      acceptOther: Type.Boolean({
        default: false,
        description: 'Also if the repository is another one than the index was made from: it was lost, or is an older one.',
      }),
    },
    closed,
  ),
  output: Type.Object({ atoms: Type.Integer(), commit: Type.Optional(Type.String()) }, closed),
  uses: brainUses,
  handle: (args, refs, ctx) => reindex(refs, ctx, args),
})

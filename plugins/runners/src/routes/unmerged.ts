import { closed, defineRoute, Type } from '@gateway/sdk'
import { unmergedUses, waitingToMerge } from '../operations/unmerged.ts'
import { Unmerged } from '../schema.ts'

export const runnersUnmerged = defineRoute({
  name: 'runners.unmerged',
  description: 'List branches of accepted tasks that the lane merge could not merge. Returns {branches}, the latest first.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/runners/unmerged',
  input: Type.Object({}, closed),
  output: Type.Object({ branches: Type.Array(Unmerged) }, closed),
  uses: unmergedUses,
  handle: async (_input, refs) => ({ branches: (await waitingToMerge(refs)).map(({ task: _task, ...branch }) => branch) }),
})

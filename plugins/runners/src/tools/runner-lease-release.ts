import { closed, defineTool, Type } from '@gateway/sdk'
import { poolUses, releaseSlot } from '../operations/pool.ts'
import { holder, slot } from '../schema.ts'

export const runnerLeaseRelease = defineTool({
  name: 'runner_lease_release',
  description: 'Give a runner slot back. Returns {released}, false when it is not yours, or no longer.',
  capability: 'work',
  effect: 'write',
  idempotent: true,
  rest: 'POST /api/runner-leases/:slot/release',
  input: Type.Object({ holder, slot }, closed),
  output: Type.Object({ released: Type.Boolean() }, closed),
  uses: poolUses,
  handle: async (session, refs, ctx) => ({ released: await releaseSlot(refs, session, ctx) }),
})

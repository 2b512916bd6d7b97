import { closed, defineTool, reportedHolder, Type } from '@gateway/sdk'
import { poolUses, releaseSlot } from '../operations/pool.ts'
import { holder, slot } from '../schema.ts'

export const runnerLeaseRelease = defineTool({
  name: 'runner_lease_release',
  description: 'Give a runner slot back. Returns {released}, false when you do not hold it.',
  capability: 'work',
  effect: 'write',
  idempotent: true,
  rest: 'POST /api/runner-leases/:slot/release',
  subject: ['slot'],
  input: Type.Object({ holder: Type.Optional(holder), slot }, closed),
  output: Type.Object({ released: Type.Boolean() }, closed),
  uses: poolUses,
  async handle(session, refs, ctx) {
    const own = reportedHolder(session.holder, ctx.principal)
    return { released: await releaseSlot(refs, { ...session, ...own }, ctx) }
  },
})

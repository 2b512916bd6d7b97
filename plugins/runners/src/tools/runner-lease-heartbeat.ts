import { closed, defineTool, reportedHolder, Type } from '@gateway/sdk'
import { keepSlot, poolUses } from '../operations/pool.ts'
import { account, defaults, holder, leaseSeconds, SlotLease, slot, taskId } from '../schema.ts'

export const runnerLeaseHeartbeat = defineTool({
  name: 'runner_lease_heartbeat',
  description:
    'Keep a runner slot that you hold. An account other than the one it was acquired under gives the slot up. Returns {ok: true, lease}, or {ok: false, reason} when the slot is no longer yours: stop the session.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/runner-leases/:slot/heartbeat',
  subject: ['slot', 'taskId'],
  input: Type.Object(
    { holder: Type.Optional(holder), slot, leaseSeconds, taskId: Type.Optional(taskId), account: Type.Optional(account) },
    closed,
  ),
  output: Type.Object(
    {
      ok: Type.Boolean(),
      lease: Type.Optional(SlotLease),
      reason: Type.Optional(Type.Enum(['not_held', 'account_mismatch'], { description: 'not_held: it was reclaimed or released.' })),
    },
    closed,
  ),
  uses: poolUses,
  async handle({ leaseSeconds = defaults.leaseSeconds, ...session }, refs, ctx) {
    const own = reportedHolder(session.holder, ctx.principal)
    return keepSlot(refs, { leaseSeconds, ...session, ...own }, ctx)
  },
})

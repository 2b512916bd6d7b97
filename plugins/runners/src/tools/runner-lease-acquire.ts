import { closed, defineTool, reportedName, Type } from '@gateway/sdk'
import { acquireSlot, poolUses } from '../operations/pool.ts'
import { account, defaults, holder, leaseSeconds, machine, SlotLease, slots, taskId } from '../schema.ts'

export const runnerLeaseAcquire = defineTool({
  name: 'runner_lease_acquire',
  description:
    'Take one of the few slots in which runner sessions may run; when all are taken, an expired one is reclaimed. Asking again extends the slot you hold. Returns {acquired: true, lease} or {acquired: false}.',
  capability: 'work',
  effect: 'write',
  idempotent: true,
  rest: 'POST /api/runner-leases',
  input: Type.Object(
    {
      holder: Type.Optional(holder),
      machine: Type.Optional(machine),
      account: Type.Optional(account),
      taskId: Type.Optional(taskId),
      slots,
      leaseSeconds,
    },
    closed,
  ),
  output: Type.Object({ acquired: Type.Boolean(), lease: Type.Optional(SlotLease) }, closed),
  uses: poolUses,
  async handle({ slots = defaults.slots, leaseSeconds = defaults.leaseSeconds, ...session }, refs, ctx) {
    const holder = reportedName('holder', session.holder, ctx.principal)
    const lease = await acquireSlot(refs, { slots, leaseSeconds, ...session, holder }, ctx)
    return lease ? { acquired: true, lease } : { acquired: false }
  },
})

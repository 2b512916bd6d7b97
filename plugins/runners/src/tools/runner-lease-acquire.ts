import { closed, defined, defineTool, reportedHolder, Type } from '@gateway/sdk'
import { accountHeadroom } from '../api.ts'
import { acquireSlot, poolUses } from '../operations/pool.ts'
import { account, defaults, holder, leaseSeconds, machine, SlotLease, slots, taskId } from '../schema.ts'

export const runnerLeaseAcquire = defineTool({
  name: 'runner_lease_acquire',
  description:
    'Take one of the few slots in which runner sessions may run; when all are taken, an expired one is reclaimed. Asking again extends the slot you hold. Returns {acquired: true, lease} or {acquired: false}, with reason and retryAt if the account is used up.',
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
  output: Type.Object(
    {
      acquired: Type.Boolean(),
      lease: Type.Optional(SlotLease),
      reason: Type.Optional(Type.String({ description: 'Present if the quota of the account is used up.' })),
      retryAt: Type.Optional(Type.String({ description: 'Time from which the account has room again, as far as it is known.' })),
    },
    closed,
  ),
  uses: { ...poolUses, headroom: accountHeadroom },
  async handle({ slots = defaults.slots, leaseSeconds = defaults.leaseSeconds, ...session }, { headroom, ...refs }, ctx) {
    const own = reportedHolder(session.holder, ctx.principal)
    const { account } = session
    const exhausted = account === undefined ? [] : await Promise.all(headroom.map((one) => one.exhausted(account)))
    const blocked = exhausted.find((one) => one !== undefined)
    const lease = await acquireSlot(refs, { slots, leaseSeconds, ...session, ...own, ownOnly: blocked !== undefined }, ctx)
    if (lease) return { acquired: true, lease }
    return { acquired: false, ...(blocked && { reason: blocked.reason, ...defined({ retryAt: blocked.until }) }) }
  },
})

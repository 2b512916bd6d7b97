import { atomically, closed, defineRoute, Type, tenantAdmin } from '@gateway/sdk'
import { invitations, members, sessions } from '../collections.ts'
import { memberCaller } from '../operations/admit.ts'
import { endWork } from '../operations/end-work.ts'
import { managedMember } from '../operations/manage-member.ts'

const MAX_SESSIONS = 50

export const removeMember = defineRoute({
  name: 'sign-in.remove-member',
  description:
    'Remove a member: the sessions, connected clients and API keys of that person are refused from the next call on, and invitations end. Returns its id. A rule of the operator may admit the person again.',
  capability: 'members',
  effect: 'write',
  rest: 'DELETE /api/members/:memberId',
  input: Type.Object({ memberId: Type.String({ minLength: 1, maxLength: 100 }) }, closed),
  output: Type.Object({ memberId: Type.String(), keys: Type.Integer({ description: 'API keys that ended with it.' }) }, closed),
  uses: { members, sessions, invitations, tenants: tenantAdmin, atomically },
  async handle({ memberId }, { members, sessions, invitations, tenants, atomically }, ctx) {
    const { role } = await managedMember(members, memberId, ctx)
    await atomically(async (tx) => {
      await members.in(tx).deleteOne(memberId)
      const { items } = await sessions.in(tx).find({ where: { callerId: memberCaller(memberId) }, limit: MAX_SESSIONS })
      for (const { sessionId } of items) await sessions.in(tx).deleteOne(sessionId)
    })
    ctx.audit('member.removed', { memberId, role })
    const keys = await endWork({ tenants, invitations }, ctx.tenantId, memberCaller(memberId))
    for (const { keyId, label } of keys) ctx.audit('key.revoked', { keyId, label })
    return { memberId, keys: keys.length }
  },
})

import { atomically, closed, defineRoute, Type } from '@gateway/sdk'
import { members, sessions } from '../collections.ts'
import { memberCaller } from '../operations/admit.ts'
import { managedMember } from '../operations/manage-member.ts'

const MAX_SESSIONS = 50

export const removeMember = defineRoute({
  name: 'sign-in.remove-member',
  description:
    'Remove a member: the sessions and connected clients of that person are refused from the next call on. Returns its id. A rule of the operator may admit the person again.',
  capability: 'members',
  effect: 'write',
  rest: 'DELETE /api/members/:memberId',
  input: Type.Object({ memberId: Type.String({ minLength: 1, maxLength: 100 }) }, closed),
  output: Type.Object({ memberId: Type.String() }, closed),
  uses: { members, sessions, atomically },
  async handle({ memberId }, { members, sessions, atomically }, ctx) {
    const { role } = await managedMember(members, memberId, ctx)
    await atomically(async (tx) => {
      await members.in(tx).deleteOne(memberId)
      const { items } = await sessions.in(tx).find({ where: { callerId: memberCaller(memberId) }, limit: MAX_SESSIONS })
      for (const { sessionId } of items) await sessions.in(tx).deleteOne(sessionId)
    })
    ctx.audit('member.removed', { memberId, role })
    return { memberId }
  },
})

import {
  atLeast,
  atomically,
  BadRequest,
  checkUnchanged,
  closed,
  defineRoute,
  Forbidden,
  ifUpdatedAt,
  NotFound,
  now,
  Type,
  tenantRoles,
} from '@gateway/sdk'
import { members } from '../collections.ts'
import { managedMember } from '../operations/manage-member.ts'
import { StoredMember } from '../schema.ts'

export const changeMember = defineRoute({
  name: 'sign-in.change-member',
  description:
    'Change the role of a member who was invited, to at most your own; it holds from the member’s next call on, also for connected clients. Returns the member.',
  capability: 'members',
  effect: 'write',
  rest: 'PATCH /api/members/:memberId',
  input: Type.Object({ memberId: Type.String({ minLength: 1, maxLength: 100 }), role: Type.Enum(tenantRoles), ifUpdatedAt }, closed),
  output: Type.Object({ member: StoredMember }, closed),
  uses: { members, atomically },
  async handle({ memberId, role, ifUpdatedAt: expected }, { members, atomically }, ctx) {
    const { before, member } = await atomically(async (tx) => {
      const own = members.in(tx)
      const found = await managedMember(own, memberId, ctx)
      if (!atLeast(ctx.principal.role, role))
        throw Forbidden({ message: `role must be at most your own, ${ctx.principal.role}; got ${role}.` })
      if (found.source === 'rule')
        throw BadRequest({
          field: 'memberId',
          message: 'memberId must be of a member who was invited: a rule of the operator decides this one’s role.',
        })
      checkUnchanged(found, expected)
      return { before: found.role, member: await own.updateOne(memberId, { set: { role, updatedAt: now() } }) }
    })
    if (!member) throw NotFound({ what: 'member', id: memberId })
    ctx.audit('member.changed', { memberId, role, before })
    return { member }
  },
})

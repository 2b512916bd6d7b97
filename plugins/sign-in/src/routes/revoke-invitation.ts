import { closed, defineRoute, NotFound, Type } from '@gateway/sdk'
import { invitations } from '../collections.ts'

export const revokeInvitation = defineRoute({
  name: 'sign-in.revoke-invitation',
  description: 'Revoke an invitation that nobody has accepted: its link is void from then on. Returns its id.',
  capability: 'members',
  effect: 'write',
  rest: 'DELETE /api/invitations/:invitationId',
  input: Type.Object({ invitationId: Type.String({ minLength: 1, maxLength: 100 }) }, closed),
  output: Type.Object({ invitationId: Type.String() }, closed),
  uses: { invitations },
  async handle({ invitationId }, { invitations }, ctx) {
    const [found] = (await invitations.find({ where: { invitationId }, limit: 1 })).items
    if (!found || !(await invitations.deleteOne(found.hash))) throw NotFound({ what: 'invitation', id: invitationId })
    ctx.audit('invitation.revoked', { invitationId })
    return { invitationId }
  },
})

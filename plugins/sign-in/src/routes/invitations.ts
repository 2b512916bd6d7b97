import { closed, defineRoute, Type } from '@gateway/sdk'
import { invitations } from '../collections.ts'
import { shownInvitation } from '../rules/shown-invitation.ts'
import { Invitation } from '../schema.ts'

const MAX = 100

export const listInvitations = defineRoute({
  name: 'sign-in.invitations',
  description: 'List the invitations of your tenant that wait, latest first, without their links. Needs the capability members.',
  capability: 'members',
  effect: 'read',
  rest: 'GET /api/invitations',
  input: Type.Object({}, closed),
  output: Type.Object({ count: Type.Integer(), invitations: Type.Array(Invitation) }, closed),
  uses: { invitations },
  async handle(_input, { invitations }, ctx) {
    const where = { expiresAt: { gt: ctx.now().toISOString() } }
    const { items } = await invitations.find({ where, sort: { createdAt: -1 }, limit: MAX })
    return { count: items.length, invitations: items.map(shownInvitation) }
  },
})

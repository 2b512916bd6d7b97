import { entitlements, PlanLimitReached } from '@gateway/plugin-entitlements/api'
import { atLeast, Conflict, closed, defineRoute, Forbidden, optional, Type, tenantAdmin, tenantRoles } from '@gateway/sdk'
import { Turns } from '@gateway/sdk/bounds'
import { hashOf, newSecret } from '@gateway/sdk/secrets'
import { invitations, members } from '../collections.ts'
import { config } from '../config.ts'
import { MAX_WAITING, seatsOf } from '../operations/seats.ts'
import { shownInvitation } from '../rules/shown-invitation.ts'
import { Invitation } from '../schema.ts'

const turns = new Turns()

export const makeInvitation = defineRoute({
  name: 'sign-in.invite',
  description:
    'Invite a person to your tenant, with at most your role, up to the seats of the plan. Returns the invitation and the link that accepts it once, which is shown only here.',
  capability: 'members',
  effect: 'write',
  rest: 'POST /api/invitations',
  status: 201,
  input: Type.Object(
    {
      role: Type.Optional(Type.Enum(tenantRoles, { default: 'member' })),
      email: Type.Optional(
        Type.String({ pattern: '^[^\\s@]{1,64}@[^\\s@]{1,255}$', description: 'Only a person with this verified address can accept.' }),
      ),
      days: Type.Optional(Type.Integer({ minimum: 1, maximum: 90, description: 'Lifetime. Default: the setting invitationDays.' })),
    },
    closed,
  ),
  output: Type.Object(
    {
      invitation: Invitation,
      path: Type.String({ secret: true, description: 'Page that accepts it, with the secret in the fragment.' }),
      url: Type.Optional(Type.String({ secret: true, description: 'The same with the public address of the gateway.' })),
    },
    closed,
  ),
  errors: [PlanLimitReached],
  uses: { invitations, members, tenants: tenantAdmin, plan: optional(entitlements), config },
  async handle({ role = 'member', email, days }, { invitations, members, tenants, plan, config }, ctx) {
    if (!atLeast(ctx.principal.role, role))
      throw Forbidden({ message: `role must be at most your own, ${ctx.principal.role}; got ${role}.` })
    const seats = await plan?.bound('seats')
    const now = ctx.now()
    const secret = newSecret()
    const stored = {
      invitationId: ctx.newId('invitation-'),
      hash: hashOf(secret),
      role,
      ...(email !== undefined && { email }),
      madeBy: ctx.principal.id,
      createdBy: ctx.principal.label ?? ctx.principal.id,
      createdAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + (days ?? config.invitationDays) * 86_400_000).toISOString(),
    }
    const taken = async () => {
      const [keys, { people, waiting }] = await Promise.all([tenants.listKeys(ctx.tenantId), seatsOf({ invitations, members }, now)])
      return keys.length + people + waiting
    }
    await turns.run(ctx.tenantId, async () => {
      if ((await seatsOf({ invitations, members }, now)).waiting >= MAX_WAITING)
        throw Conflict({ message: `${MAX_WAITING} invitations are waiting, the maximum of a tenant; revoke some.` })
      if (!seats || seats.allowed === null) return void (await invitations.insert(stored))
      seats.check(await taken())
      await invitations.insert(stored)
      // Another node may have given the last seat of the plan meanwhile.
      const others = (await taken()) - 1
      if (others >= seats.allowed) {
        await invitations.deleteOne(stored.hash)
        seats.check(others)
      }
    })
    ctx.audit('invitation.made', { invitationId: stored.invitationId, role, ...(email !== undefined && { email }) })
    const path = `/dashboard/#invitation=${ctx.tenantId}~${secret}`
    return { invitation: shownInvitation(stored), path, ...(config.publicUrl !== undefined && { url: `${config.publicUrl}${path}` }) }
  },
})

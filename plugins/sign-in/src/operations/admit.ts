import { type CallContext, gatewayWide, LOCAL_TENANT, type Principal, type PublicRecord, type Resolved, throughout } from '@gateway/sdk'
import { hashOf } from '@gateway/sdk/secrets'
import { identities, invitations, members } from '../collections.ts'
import { config } from '../config.ts'
import { admittedBy, type Identity, isSameEmail, memberIdOf } from '../rules/identity.ts'
import { SignInRefusal } from '../rules/refusal.ts'
import type { SignedInAs, StoredInvitation, StoredMember } from '../schema.ts'
import { isActiveTenant, MAX_TENANTS, tenantsUses } from './active-tenant.ts'
import { endWork } from './end-work.ts'

export const admitUses = {
  members: throughout(members),
  invitations: throughout(invitations),
  identities: gatewayWide(identities),
  ...tenantsUses,
  config,
}
type Refs = Resolved<typeof admitUses>
type Ctx = Pick<CallContext, 'now'>
type Audit = (record: PublicRecord) => void

const MAX_MEMBERS = 1_000

export interface Admitted {
  readonly tenantId: string
  readonly member: StoredMember
  /** True if the person is in further tenants and has named none. */
  readonly hasChoice?: boolean
}

export const memberCaller = (memberId: string): string => `member:${memberId}`

export const signedInMember = ({ memberId, role, email, name }: StoredMember): SignedInAs => ({
  callerId: memberCaller(memberId),
  kind: 'user',
  role,
  memberId,
  ...((email ?? name) !== undefined && { label: (email ?? name) as string }),
})

export const memberPrincipal = ({ tenantId, member }: Admitted): Principal => {
  const { callerId: id, role, label } = signedInMember(member)
  return { id, kind: 'user', role, tenantId, ...(label !== undefined && { label }) }
}

/**
 * Decides to which tenant and with which role a person is admitted. Throws a SignInRefusal, which nothing but the audit trail of
 * the operator records, because the person belongs to no tenant.
 *
 * 1. An invitation decides, and is used up.
 * 2. Otherwise the tenant that the person was in last, or the wanted one, decides if the person is still a member. A member by rule
 *    stays one while a rule admits them, with the role of that rule.
 * 3. Otherwise the first rule of the operator that holds makes a member.
 */
export async function admit(
  refs: Refs,
  person: Identity,
  { invitation, tenantId: wanted }: { readonly invitation?: string | undefined; readonly tenantId?: string | undefined },
  audit: Audit,
  ctx: Ctx,
): Promise<Admitted> {
  const found =
    invitation === undefined
      ? ((await returning(refs, person, wanted, audit, ctx)) ?? (await byRule(refs, person, wanted, audit, ctx)))
      : await byInvitation(refs, person, invitation, audit, ctx)
  if (found) return found
  const { provider, email, name } = person
  const memberId = memberIdOf(person)
  const principal: Principal = { id: memberCaller(memberId), kind: 'user', role: 'viewer', tenantId: LOCAL_TENANT }
  audit({ name: 'session.refused', principal, decision: 'FORBIDDEN', details: { provider, who: email ?? name ?? memberId } })
  throw new SignInRefusal(
    'You have no access to this gateway yet. Ask an admin of your tenant for an invitation, or the operator for a rule that admits you.',
  )
}

/** Finds an invitation by the text of its link, which nobody has accepted or revoked. */
export async function findInvitation(
  { invitations, tenants }: Pick<Refs, 'invitations' | 'tenants'>,
  text: string,
  ctx: Ctx,
): Promise<{ readonly tenantId: string; readonly found: StoredInvitation }> {
  const [tenantId, secret, ...more] = text.split('~')
  const isWhole = tenantId && secret && more.length === 0 && text.length <= 200
  const found = isWhole && (await isActiveTenant(tenants, tenantId)) ? await invitations.of(tenantId).get(hashOf(secret)) : undefined
  if (!tenantId || !found || found.expiresAt <= ctx.now().toISOString())
    throw new SignInRefusal('invitation is not valid: it was used or revoked, or has expired. Ask for another one.')
  return { tenantId, found }
}

async function byInvitation(refs: Refs, person: Identity, text: string, audit: Audit, ctx: Ctx): Promise<Admitted> {
  const { tenantId, found } = await findInvitation(refs, text, ctx)
  if (found.email !== undefined && !isSameEmail(person.email, found.email))
    throw new SignInRefusal('invitation is for another e-mail address than the verified one of this account.')
  const draft = await memberOf(refs, tenantId, { person, role: found.role, source: 'invitation' }, ctx)
  // If two people accept at once, the first to remove it is admitted.
  if (!(await refs.invitations.of(tenantId).deleteOne(found.hash))) throw new SignInRefusal('invitation was accepted a moment ago.')
  const admitted = { tenantId, member: await keep(refs, tenantId, draft, ctx) }
  const details = { invitationId: found.invitationId, provider: person.provider, role: found.role }
  audit({ name: 'invitation.accepted', principal: memberPrincipal(admitted), details })
  return admitted
}

async function returning(refs: Refs, person: Identity, wanted: string | undefined, audit: Audit, ctx: Ctx): Promise<Admitted | undefined> {
  const memberId = memberIdOf(person)
  const { items } = await refs.identities.find({ where: { memberId }, sort: { signedInAt: -1 }, limit: MAX_TENANTS })
  for (const { id, tenantId } of items) {
    if (wanted !== undefined && tenantId !== wanted) continue
    const member = await refs.members.of(tenantId).get(memberId)
    if (!member) {
      await refs.identities.writable().deleteOne(id)
      continue
    }
    if (!(await isActiveTenant(refs.tenants, tenantId))) continue
    const rule = member.source === 'rule' ? ruleFor(refs, person, tenantId) : undefined
    if (member.source === 'rule' && rule === undefined) {
      await refs.members.of(tenantId).deleteOne(memberId)
      await refs.identities.writable().deleteOne(id)
      await endWork({ tenants: refs.tenants, invitations: refs.invitations.of(tenantId) }, tenantId, memberCaller(memberId))
      audit({
        name: 'member.removed',
        principal: memberPrincipal({ tenantId, member }),
        details: { memberId, reason: 'no rule admits them' },
      })
      continue
    }
    const draft = await memberOf(refs, tenantId, { person, role: rule?.role ?? member.role, source: member.source }, ctx)
    return { tenantId, member: await keep(refs, tenantId, draft, ctx), hasChoice: wanted === undefined && items.length > 1 }
  }
  return undefined
}

async function byRule(refs: Refs, person: Identity, wanted: string | undefined, audit: Audit, ctx: Ctx): Promise<Admitted | undefined> {
  const rule = ruleFor(refs, person, wanted)
  if (!rule) return undefined
  const { tenantId, role } = rule
  if (!(await isActiveTenant(refs.tenants, tenantId))) throw new SignInRefusal(`The tenant ${tenantId} does not exist or is not active.`)
  const draft = await memberOf(refs, tenantId, { person, role, source: 'rule' }, ctx)
  const admitted = { tenantId, member: await keep(refs, tenantId, draft, ctx) }
  audit({ name: 'member.joined', principal: memberPrincipal(admitted), details: { provider: person.provider, role } })
  return admitted
}

const ruleFor = ({ config }: Pick<Refs, 'config'>, person: Identity, tenantId: string | undefined) =>
  admittedBy(tenantId === undefined ? config.admit : config.admit.filter((rule) => rule.tenantId === tenantId), person)

async function memberOf(
  { members }: Pick<Refs, 'members'>,
  tenantId: string,
  { person, role, source }: { person: Identity } & Pick<StoredMember, 'role' | 'source'>,
  ctx: Ctx,
): Promise<StoredMember> {
  const memberId = memberIdOf(person)
  const { provider, name, email } = person
  const known = await members.of(tenantId).get(memberId)
  if (!known && (await members.of(tenantId).count({}, { max: MAX_MEMBERS })) >= MAX_MEMBERS)
    throw new SignInRefusal(`The tenant has ${MAX_MEMBERS} members, the maximum.`)
  const at = ctx.now().toISOString()
  const shown = { ...(name !== undefined && { name }), ...(email !== undefined && { email }) }
  const updated = known?.role === role && known.source === source ? {} : { updatedAt: at }
  return { memberId, provider, ...shown, role, source, createdAt: known?.createdAt ?? at, signedInAt: at, ...updated }
}

/** The identity is written after the member, so that it never leads to a member who does not exist yet. */
async function keep({ members, identities }: Refs, tenantId: string, member: StoredMember, ctx: Ctx): Promise<StoredMember> {
  const { memberId, createdAt: _first, ...set } = member
  const id = `${memberId}.${tenantId}`
  const signedInAt = ctx.now().toISOString()
  const unset = (['name', 'email'] as const).filter((field) => member[field] === undefined)
  await members.of(tenantId).upsert(member, { set, unset })
  await identities.writable().upsert({ id, memberId, tenantId, signedInAt }, { set: { signedInAt } })
  return member
}

import type { CallContext, Resolved } from '@gateway/sdk'
import { throughout } from '@gateway/sdk'
import { matches } from '@gateway/sdk/secrets'
import { sessions } from '../collections.ts'
import { readTicket } from '../rules/cookies.ts'
import type { StoredMember } from '../schema.ts'
import { isActiveTenant, MAX_TENANTS } from './active-tenant.ts'
import { admitUses } from './admit.ts'

export const tenantsOfPersonUses = { ...admitUses, sessions: throughout(sessions) }

/** The tenants of the person of a browser, and the provider to sign in through. */
export interface TenantsOfPerson {
  readonly provider: string | null
  /** Latest sign-in first. */
  readonly tenants: readonly (Pick<StoredMember, 'role'> & { readonly tenantId: string; readonly current: boolean })[]
}

/**
 * Lists the active tenants in which the person of this session is a member. Nothing for a session that does not belong to a member.
 * The caller must be the system, because the person's other tenants are not those of the session.
 */
export async function tenantsOfPerson(
  refs: Resolved<typeof tenantsOfPersonUses>,
  cookie: string | undefined,
  ctx: Pick<CallContext, 'now'>,
): Promise<TenantsOfPerson> {
  const none = { provider: null, tenants: [] }
  const ticket = readTicket(cookie)
  if (!ticket || !(await isActiveTenant(refs.tenants, ticket.tenantId))) return none
  const session = await refs.sessions.of(ticket.tenantId).get(ticket.sessionId)
  if (!session || !matches(ticket.secret, session.hash) || session.expiresAt <= ctx.now().toISOString()) return none
  const { memberId } = session
  const own = memberId === undefined ? undefined : await refs.members.of(ticket.tenantId).get(memberId)
  if (memberId === undefined || !own) return none
  const { items } = await refs.identities.find({ where: { memberId }, sort: { signedInAt: -1 }, limit: MAX_TENANTS })
  const found = await Promise.all(
    items.map(async ({ tenantId }) => {
      const member = await refs.members.of(tenantId).get(memberId)
      return member && (await isActiveTenant(refs.tenants, tenantId)) ? [{ tenantId, role: member.role }] : []
    }),
  )
  return { provider: own.provider, tenants: found.flat().map((one) => ({ ...one, current: one.tenantId === ticket.tenantId })) }
}

import type { CallContext, Collection } from '@gateway/sdk'
import { TOKEN_PREFIX } from '@gateway/sdk'
import { hashOf, newSecret } from '@gateway/sdk/secrets'
import type { Scope, StoredGrant } from '../schema.ts'

export const REFRESH_PREFIX = 'gwr_'
/** Access tokens of one grant that are valid at once: a client that refreshes early keeps the calls that are under way. */
const MAX_ACCESS = 5
/** Grants of one caller; the oldest ends for one more. */
const MAX_OF_CALLER = 100

type Clocked = Pick<CallContext, 'now'>
type Limits = { readonly accessMinutes: number; readonly grantDays: number }

/** Answer of the token endpoint (RFC 6749, 5.1). */
export interface Tokens {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly scope: string
  readonly refresh_token?: string
}

/** A grant that is about to be kept, and its tokens, which are seen only here. */
export interface Issued {
  readonly grant: StoredGrant
  readonly tokens: Tokens
}

/** Makes a new grant. Without `refreshes` it ends with its one access token. */
export function newGrant(
  of: Pick<
    StoredGrant,
    'callerId' | 'kind' | 'role' | 'label' | 'keyId' | 'memberId' | 'sessionId' | 'clientId' | 'clientName' | 'scopes' | 'grantId'
  >,
  { tenantId, refreshes, limits }: { tenantId: string; refreshes: boolean; limits: Limits },
  ctx: Clocked,
): Issued {
  const access = newAccess(of.scopes, limits, ctx)
  const family = newSecret()
  const refresh = newSecret()
  const now = ctx.now()
  const at = now.toISOString()
  const expiresAt = refreshes ? new Date(now.getTime() + limits.grantDays * 86_400_000).toISOString() : access.stored.expiresAt
  const grant = {
    ...of,
    access: [access.stored],
    ...(refreshes && { family: hashOf(family), refresh: hashOf(refresh) }),
    createdAt: at,
    usedAt: at,
    expiresAt,
  }
  const tokens = answerOf({ tenantId, grantId: of.grantId, access, limits })
  return { grant, tokens: refreshes ? { ...tokens, refresh_token: refreshToken(tenantId, of.grantId, family, refresh) } : tokens }
}

/** Keeps a grant; the caller's oldest ones end beyond a limit. */
export async function keepGrant(grants: Collection<StoredGrant>, grant: StoredGrant): Promise<void> {
  const { callerId } = grant
  const { items } = await grants.find({ where: { callerId }, sort: { createdAt: -1 }, limit: MAX_OF_CALLER + 1 })
  for (const { grantId } of items.slice(MAX_OF_CALLER - 1)) await grants.deleteOne(grantId)
  await grants.insert(grant)
}

/** Replaces the refresh token. `undefined` if another request has replaced it meanwhile. */
export async function rotate(
  grants: Collection<StoredGrant>,
  grant: StoredGrant,
  { tenantId, family, scopes, limits }: { tenantId: string; family: string; scopes: readonly Scope[]; limits: Limits },
  ctx: Clocked,
): Promise<Tokens | undefined> {
  const { grantId } = grant
  const access = newAccess(scopes, limits, ctx)
  const refresh = newSecret()
  const at = ctx.now().toISOString()
  const valid = grant.access.filter(({ expiresAt }) => expiresAt > at)
  const set = { refresh: hashOf(refresh), access: [access.stored, ...valid].slice(0, MAX_ACCESS), usedAt: at }
  const rotated = await grants.updateOne(grantId, { set }, { refresh: grant.refresh ?? '' })
  if (!rotated) return undefined
  return { ...answerOf({ tenantId, grantId, access, limits }), refresh_token: refreshToken(tenantId, grantId, family, refresh) }
}

interface NewAccess {
  readonly secret: string
  readonly stored: StoredGrant['access'][number]
}

function newAccess(scopes: readonly Scope[], { accessMinutes }: Limits, ctx: Clocked): NewAccess {
  const secret = newSecret()
  const expiresAt = new Date(ctx.now().getTime() + accessMinutes * 60_000).toISOString()
  return { secret, stored: { hash: hashOf(secret), scopes: [...scopes], expiresAt } }
}

const refreshToken = (tenantId: string, grantId: string, family: string, secret: string): string =>
  `${REFRESH_PREFIX}${tenantId}~${grantId}~${family}~${secret}`

function answerOf({ tenantId, grantId, access, limits }: { tenantId: string; grantId: string; access: NewAccess; limits: Limits }): Tokens {
  return {
    access_token: `${TOKEN_PREFIX}${tenantId}~${grantId}~${access.secret}`,
    token_type: 'Bearer',
    expires_in: limits.accessMinutes * 60,
    scope: access.stored.scopes.join(' '),
  }
}

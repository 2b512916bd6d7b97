import { consenters, identityAssertions } from '@gateway/plugin-sign-in/api'
import { type CallContext, gatewayWide, LOCAL_TENANT, type Resolved, type Tenant, tenantAdmin, throughout } from '@gateway/sdk'
import { hashOf, matches } from '@gateway/sdk/secrets'
import { codes, devices, grants } from '../collections.ts'
import { config } from '../config.ts'
import { isOwnResource } from '../rules/addresses.ts'
import { type Form, readBasic } from '../rules/form.ts'
import { ASSERTION_GRANT, DEVICE_GRANT } from '../rules/metadata.ts'
import { type Audit, given, refusedTokens } from '../rules/records.ts'
import { invalidClient, invalidGrant, invalidRequest, OAuthRefusal } from '../rules/refusal.ts'
import { FIRST, grantRole, isWithin, readScopes, scopesOf } from '../rules/scopes.ts'
import { partsOf, provesChallenge } from '../rules/secrets.ts'
import type { StoredCode, StoredGrant } from '../schema.ts'
import { pollDevice } from './devices.ts'
import { clientUses, findClient } from './find-client.ts'
import { keepGrant, newGrant, REFRESH_PREFIX, rotate, type Tokens } from './issue.ts'

export const tokenUses = {
  codes: throughout(codes),
  grants: throughout(grants),
  devices: gatewayWide(devices),
  tenants: tenantAdmin,
  assertions: identityAssertions,
  consenters,
  ...clientUses,
  config,
}
export type TokenRefs = Resolved<typeof tokenUses>
type Ctx = Pick<CallContext, 'now' | 'newId' | 'log' | 'tenantId' | 'signal'> & { readonly record: Audit }

/** The parameter without which a request of a type means nothing. */
const NEEDED: ReadonlyMap<string, string> = new Map([
  ['authorization_code', 'code'],
  ['refresh_token', 'refresh_token'],
  [DEVICE_GRANT, 'device_code'],
  [ASSERTION_GRANT, 'assertion'],
])

/** Answers a token request, and records tokens that are given and refusals of known codes and grants. Throws an OAuthRefusal. */
export function answerTokenRequest(
  refs: TokenRefs,
  { form, authorization, issuer }: { form: Form; authorization: string | string[] | undefined; issuer: string },
  ctx: Ctx,
): Promise<Tokens> {
  const { grant_type: type, resource } = form
  if (resource !== undefined && !isOwnResource(resource, issuer))
    throw new OAuthRefusal('invalid_target', 'resource must be an address of MCP on this gateway.')
  const needed = type === undefined ? undefined : NEEDED.get(type)
  if (needed !== undefined && form[needed] === undefined) throw invalidRequest(`${needed} is missing.`)
  switch (type) {
    case 'authorization_code':
      return byCode(refs, form, ctx)
    case 'refresh_token':
      return byRefresh(refs, form, ctx)
    case 'client_credentials':
      return byKey(refs, form, authorization, ctx)
    case DEVICE_GRANT:
      return byDevice(refs, form, ctx)
    case ASSERTION_GRANT:
      return byAssertion(refs, form, issuer, ctx)
    case undefined:
      throw invalidRequest('grant_type is missing.')
    default:
      throw new OAuthRefusal(
        'unsupported_grant_type',
        'grant_type must be authorization_code, refresh_token, client_credentials or a device code.',
      )
  }
}

async function byCode(refs: TokenRefs, form: Form, ctx: Ctx): Promise<Tokens> {
  const { code = '', client_id: clientId, redirect_uri: redirectUri, code_verifier: verifier = '' } = form
  const [tenantId, found] = await findCode(refs, code, ctx)
  const denied = (description: string): OAuthRefusal => {
    ctx.record(refusedTokens(found, { tenantId, by: 'authorization_code' }, 'invalid_grant'))
    return invalidGrant(description)
  }
  if (found.userCode !== undefined || found.clientId !== clientId)
    throw denied('code must be redeemed by the client that it was issued to.')
  if (found.redirectUri !== redirectUri) throw denied('redirect_uri must be that of the authorization request.')
  if (!provesChallenge(verifier, found.challenge)) throw denied('code_verifier does not match the challenge.')
  return redeem(refs, tenantId, found, ctx)
}

/** The message is the same for an ended tenant. */
const UNKNOWN_CODE = 'code must be one that this gateway issued and has not removed since.'

async function findCode(refs: TokenRefs, code: string, ctx: Ctx): Promise<[tenantId: string, found: StoredCode]> {
  const [tenantId, secret] = partsOf(code, 2) ?? []
  if (tenantId === undefined || secret === undefined || !(await isActive(refs, tenantId))) throw invalidGrant(UNKNOWN_CODE)
  const found = await refs.codes.of(tenantId).get(hashOf(secret))
  if (!found) throw invalidGrant(UNKNOWN_CODE)
  if (found.grantId !== undefined) {
    await refs.grants.of(tenantId).deleteOne(found.grantId)
    ctx.record(refusedTokens(found, { tenantId, grantId: found.grantId, by: 'authorization_code' }, 'replay'))
    ctx.log.warn('a code was used twice, and its grant has ended', { event: 'oauth.code-replay', tenantId, grantId: found.grantId })
    throw invalidGrant('The code was used before; its grant has been revoked.')
  }
  if (found.expiresAt <= ctx.now().toISOString()) throw invalidGrant('The code has expired.')
  return [tenantId, found]
}

/** The grant is kept before the code is marked, so that of two requests at once neither leaves a grant behind. */
async function redeem(refs: TokenRefs, tenantId: string, code: StoredCode, ctx: Ctx): Promise<Tokens> {
  const { hash, redirectUri: _to, challenge: _proof, userCode: _device, createdAt: _at, expiresAt: _end, ...of } = code
  const { grant, tokens } = newGrant({ ...of, grantId: ctx.newId('grant-') }, { tenantId, refreshes: true, limits: refs.config }, ctx)
  const grants = refs.grants.of(tenantId)
  await keepGrant(grants, grant)
  const codes = refs.codes.of(tenantId)
  const by = code.userCode === undefined ? 'authorization_code' : 'device_code'
  if (await codes.updateOne(hash, { set: { grantId: grant.grantId } }, { grantId: { exists: false } })) {
    ctx.record(given('oauth.issued', grant, { tenantId, grantId: grant.grantId, by }))
    return tokens
  }
  ctx.record(refusedTokens(code, { tenantId, by }, 'replay'))
  await grants.deleteOne(grant.grantId)
  const winner = (await codes.get(hash))?.grantId
  if (winner !== undefined) await grants.deleteOne(winner)
  throw invalidGrant('The code was used before; its grant has been revoked.')
}

async function byRefresh(refs: TokenRefs, { refresh_token: token = '', client_id: clientId, scope }: Form, ctx: Ctx): Promise<Tokens> {
  const unknown = invalidGrant('The refresh token is not valid.')
  const [tenantId, grantId, family, secret] = (token.startsWith(REFRESH_PREFIX) && partsOf(token.slice(REFRESH_PREFIX.length), 4)) || []
  if (tenantId === undefined || grantId === undefined || family === undefined || secret === undefined) throw unknown
  if (!(await isActive(refs, tenantId))) throw unknown
  const grants = refs.grants.of(tenantId)
  const grant = await grants.get(grantId)
  if (!grant || !matches(family, grant.family) || grant.clientId !== clientId || grant.expiresAt <= ctx.now().toISOString()) throw unknown
  const scopes = scope === undefined ? grant.scopes : readScopes(scope)
  const about = { tenantId, grantId, by: 'refresh_token' }
  if (!(await isHeld(refs, tenantId, grant))) {
    await grants.deleteOne(grantId)
    ctx.record(refusedTokens(grant, about, 'invalid_grant'))
    throw invalidGrant('The key, session or membership of the person who consented has ended, and the grant with it.')
  }
  if (scopes.length === 0 || !isWithin(scopes, grant.scopes)) {
    ctx.record(refusedTokens(grant, about, 'invalid_scope'))
    throw new OAuthRefusal('invalid_scope', 'scope must stay within what was granted; ask for more with a new authorization.')
  }
  const tokens = matches(secret, grant.refresh)
    ? await rotate(grants, grant, { tenantId, family, scopes, limits: refs.config }, ctx)
    : undefined
  if (tokens) {
    ctx.record(given('oauth.refreshed', grant, { ...about, scopes }))
    return tokens
  }
  await grants.deleteOne(grantId)
  ctx.record(refusedTokens(grant, about, 'replay'))
  ctx.log.warn('a refresh token was used twice, and its grant has ended', { event: 'oauth.refresh-replay', tenantId, grantId })
  throw invalidGrant('The refresh token was used before; the grant has ended.')
}

/** Client credentials: the client is an API key, its secret the whole key. */
async function byKey(refs: TokenRefs, form: Form, authorization: string | string[] | undefined, ctx: Ctx): Promise<Tokens> {
  const basic = readBasic(authorization)
  if (basic && form.client_secret !== undefined) throw invalidRequest('A client authenticates in one way at a time.')
  const clientId = basic?.clientId ?? form.client_id ?? ''
  const owner = await refs.tenants.ownerOfKey(basic?.secret ?? form.client_secret ?? '')
  if (!owner || owner.id !== `key:${clientId}` || !(await isActive(refs, owner.tenantId)))
    throw invalidClient('client_id must be the id of an API key, and client_secret the key.')
  const role = grantRole(owner.role)
  const scopes = form.scope === undefined ? scopesOf(role) : readScopes(form.scope)
  if (scopes.length === 0 || !isWithin(scopes, scopesOf(role)))
    throw new OAuthRefusal('invalid_scope', `scope must stay within what the key’s role has: ${scopesOf(role).join(' ')}.`)
  const { tenantId, label } = owner
  const of = { callerId: owner.id, kind: 'api-key', role, keyId: clientId, ...(label !== undefined && { label }) } as const
  const client = { clientId, clientName: label ?? 'client credentials', scopes, grantId: ctx.newId('grant-') }
  const { grant, tokens } = newGrant({ ...of, ...client }, { tenantId, refreshes: false, limits: refs.config }, ctx)
  await keepGrant(refs.grants.of(tenantId), grant)
  ctx.record(given('oauth.issued', grant, { tenantId, grantId: grant.grantId, by: 'client_credentials' }))
  return tokens
}

async function byDevice(refs: TokenRefs, form: Form, ctx: Ctx): Promise<Tokens> {
  const approval = await pollDevice(refs.devices, form, ctx)
  const [tenantId, found] = await findCode(refs, approval, ctx)
  return redeem(refs, tenantId, found, ctx)
}

/**
 * Enterprise-managed authorization: an identity provider asserts one of its people to one client (ID-JAG). There is no refresh
 * token, because the client asks the provider again, whose administrators may have decided otherwise.
 */
async function byAssertion(refs: TokenRefs, form: Form, issuer: string, ctx: Ctx): Promise<Tokens> {
  if (!refs.assertions.isOn) throw new OAuthRefusal('unsupported_grant_type', 'Identity assertions are accepted of no issuer here.')
  const client = await findClient(refs, form.client_id, ctx)
  const { clientId, clientName } = client
  const found = await refs.assertions.admit({ assertion: form.assertion ?? '', audience: issuer, clientId }, ctx.record)
  if ('fault' in found) throw invalidGrant(found.fault)
  const { tenantId, memberId, callerId, role, label, scope, resource } = found
  if (resource !== undefined && !(typeof resource === 'string' && isOwnResource(resource, issuer)))
    throw new OAuthRefusal('invalid_target', 'assertion must be for an address of MCP on this gateway.')
  const allowed = (scope === undefined ? FIRST : readScopes(scope)).filter((one) => scopesOf(role).includes(one))
  const scopes = form.scope === undefined ? allowed : readScopes(form.scope)
  if (scopes.length === 0 || !isWithin(scopes, allowed))
    throw new OAuthRefusal('invalid_scope', `scope must stay within what the assertion and the role allow: ${allowed.join(' ')}.`)
  const of = { callerId, kind: 'user', role, memberId, ...(label !== undefined && { label }) } as const
  const asked = { clientId, clientName, scopes: [...scopes], grantId: ctx.newId('grant-') }
  const { grant, tokens } = newGrant({ ...of, ...asked }, { tenantId, refreshes: false, limits: refs.config }, ctx)
  await keepGrant(refs.grants.of(tenantId), grant)
  ctx.record(given('oauth.issued', grant, { tenantId, grantId: grant.grantId, by: 'jwt-bearer' }))
  return tokens
}

/** True while the key, the browser session and the member that a grant depends on are valid. */
async function isHeld({ tenants, consenters }: TokenRefs, tenantId: string, { keyId, sessionId, memberId }: StoredGrant): Promise<boolean> {
  if (keyId !== undefined && !(await tenants.standingKey(tenantId, keyId))) return false
  return consenters.stand(tenantId, { sessionId, memberId })
}

async function isActive({ tenants }: Pick<TokenRefs, 'tenants'>, tenantId: string): Promise<boolean> {
  if (tenantId === LOCAL_TENANT) return true
  const tenant: Pick<Tenant, 'status'> | undefined = await tenants.get(tenantId).catch(() => undefined)
  return tenant?.status === 'active'
}

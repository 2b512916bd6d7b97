import type { CallContext, Resolved } from '@gateway/sdk'
import { isOwnResource } from '../rules/addresses.ts'
import type { Client } from '../rules/client-metadata.ts'
import type { Form } from '../rules/form.ts'
import { isRegistered, isSafeRedirect } from '../rules/redirects.ts'
import { invalidRequest, OAuthRefusal } from '../rules/refusal.ts'
import { FIRST, readScopes } from '../rules/scopes.ts'
import { isChallenge } from '../rules/secrets.ts'
import type { Scope } from '../schema.ts'
import { clientUses, findClient } from './find-client.ts'

export const readUses = clientUses

/** An authorization request whose client and redirect address are known to belong together. */
export interface AuthorizationRequest {
  readonly client: Client
  readonly redirectUri: string
  readonly state: string | undefined
  /** Absent if the request is refused. */
  readonly valid?: { readonly challenge: string; readonly scopes: readonly Scope[] }
  /** The client learns of this refusal by a redirect. */
  readonly refusal?: OAuthRefusal
}

/**
 * Reads an authorization request. Throws an OAuthRefusal, for the person alone, if the client or its redirect address is wrong:
 * the browser must not go to an address that the client did not register.
 */
export async function readRequest(
  refs: Resolved<typeof readUses>,
  form: Form,
  issuer: string,
  ctx: Pick<CallContext, 'tenantId' | 'signal' | 'now'>,
): Promise<AuthorizationRequest> {
  const client = await findClient(refs, form.client_id, ctx)
  const redirectUri = form.redirect_uri ?? (client.redirectUris.length === 1 ? client.redirectUris[0] : undefined)
  if (redirectUri === undefined || !isSafeRedirect(redirectUri) || !isRegistered(redirectUri, client.redirectUris))
    throw invalidRequest('redirect_uri must be one that the client registered.')
  const known = { client, redirectUri, state: form.state }
  try {
    return { ...known, valid: readRest(form, issuer) }
  } catch (error) {
    if (error instanceof OAuthRefusal) return { ...known, refusal: error }
    throw error
  }
}

function readRest(form: Form, issuer: string): { challenge: string; scopes: readonly Scope[] } {
  const {
    response_type: type,
    response_mode: mode = 'query',
    code_challenge: challenge,
    code_challenge_method: method,
    resource,
    scope,
  } = form
  if (type !== 'code') throw new OAuthRefusal('unsupported_response_type', 'response_type must be code.')
  if (mode !== 'query') throw invalidRequest('response_mode must be query.')
  if (challenge === undefined || !isChallenge(challenge)) throw invalidRequest('code_challenge must be the S256 challenge of PKCE.')
  if (method !== 'S256') throw invalidRequest('code_challenge_method must be S256.')
  if (resource !== undefined && !isOwnResource(resource, issuer))
    throw new OAuthRefusal('invalid_target', 'resource must be an address of MCP on this gateway.')
  return { challenge, scopes: askedScopes(scope) }
}

/** Scopes that a request asks for, those for a start if it names none. Throws `invalid_scope` if none of them exists. */
export function askedScopes(scope: string | undefined): readonly Scope[] {
  if (scope === undefined) return FIRST
  const scopes = readScopes(scope)
  if (scopes.length === 0) throw new OAuthRefusal('invalid_scope', 'scope must name one of read, work, configure, members, billing.')
  return scopes
}

import { defined, Forbidden, type Principal } from '@gateway/sdk'
import type { Session, SignedInAs, StoredSession } from '../schema.ts'

const KEY = 'key:'

/**
 * Identity of a session that a caller begins: that caller, with no more power. A key's session stays the key's, so that signing
 * in does not turn a program into a person. Throws FORBIDDEN for a caller who is signed in already, also with a session token,
 * and for a client with an OAuth token.
 */
export function signedInAs({ id, kind, role, label, session, scopes }: Principal): SignedInAs {
  if (session !== undefined || scopes !== undefined || (kind !== 'operator' && kind !== 'api-key') || role === 'system')
    throw Forbidden({
      message: 'You are signed in already. Signing in needs an API key, the local token, or a request from this machine.',
    })
  const keyId = id.startsWith(KEY) ? { keyId: id.slice(KEY.length) } : {}
  return { callerId: id, kind, role, ...defined({ label }), ...keyId }
}

export function shown(
  { hash: _hash, callerId, kind: _kind, keyId: _keyId, memberId: _memberId, ...rest }: StoredSession,
  tenantId: string,
  caller?: string,
): Session {
  return { ...rest, who: callerId, tenantId, current: rest.sessionId === caller }
}

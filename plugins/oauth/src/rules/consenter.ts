import { defined, Forbidden, type Principal } from '@gateway/sdk'
import type { StoredGrant } from '../schema.ts'
import { grantRole } from './scopes.ts'

const KEY = 'key:'
const MEMBER = 'member:'
export type Consenter = Pick<StoredGrant, 'callerId' | 'kind' | 'role' | 'label' | 'keyId' | 'memberId' | 'sessionId'>

/**
 * Identity in whose name a client will call. The grant ends with the API key of the caller, also of one that signed in with it, or
 * with the membership of a person who signed in through a provider; without either, with the browser session. Throws FORBIDDEN for a caller with an OAuth token, which must not extend itself, and
 * for one whose credential is neither, such as a session token, since nobody could tell when it ends.
 */
export function consenterOf({ id, kind, role, label, session, scopes }: Principal): Consenter {
  if (scopes !== undefined) throw Forbidden({ message: 'A client with an OAuth token cannot consent; a person who is signed in can.' })
  const end = endOf(id, session)
  if (kind !== 'operator' && Object.keys(end).length === 0)
    throw Forbidden({ message: 'A grant ends with an API key or a browser session: sign in with a key to consent.' })
  return { callerId: id, kind: kind === 'api-key' ? 'api-key' : 'user', role: grantRole(role), ...defined({ label }), ...end }
}

function endOf(id: string, session: string | undefined): Pick<Consenter, 'keyId' | 'memberId' | 'sessionId'> {
  if (id.startsWith(KEY)) return { keyId: id.slice(KEY.length) }
  // Without a session the id may be that of a session token, which anybody with its secret writes.
  if (id.startsWith(MEMBER) && session !== undefined) return { memberId: id.slice(MEMBER.length) }
  return defined({ sessionId: session })
}

/** Credentials with which a grant can end. */
export const ENDS = ['key', 'membership', 'session'] as const

/** The credential with which a grant of this person ends; undefined for the operator, who needs none. Signing out ends the last kind alone. */
export function endsWith({ keyId, memberId, sessionId }: Consenter): (typeof ENDS)[number] | undefined {
  if (keyId !== undefined) return 'key'
  if (memberId !== undefined) return 'membership'
  return sessionId === undefined ? undefined : 'session'
}

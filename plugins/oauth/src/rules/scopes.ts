import type { Role } from '@gateway/sdk'
import { SCOPES, type Scope, type StoredGrant } from '../schema.ts'

type GrantRole = StoredGrant['role']
const RANKS: readonly GrantRole[] = ['viewer', 'member', 'admin', 'owner']
const LOWEST_ROLE: Readonly<Record<Scope, GrantRole>> = {
  read: 'viewer',
  work: 'member',
  configure: 'admin',
  members: 'admin',
  billing: 'owner',
}

/** Scopes that a client should ask for first. Others come by a step-up. */
export const FIRST: readonly Scope[] = ['read', 'work']

/** The role in a grant of a caller: the operator's own calls are the owner's, since no token carries the operator's power. */
export const grantRole = (role: Role): GrantRole => (role === 'operator' || role === 'system' ? 'owner' : role)

export const scopesOf = (role: GrantRole): Scope[] => SCOPES.filter((scope) => RANKS.indexOf(LOWEST_ROLE[scope]) <= RANKS.indexOf(role))

/** Reads a space-separated list. Unknown scopes, such as `offline_access`, are left out, which the answer tells the client. */
export const readScopes = (text: string): Scope[] => {
  const asked = new Set(text.split(' '))
  return SCOPES.filter((scope) => asked.has(scope))
}

/** The least role that holds all of the scopes: a token has no more power than its scopes need. */
export const roleFor = (scopes: readonly Scope[]): GrantRole =>
  RANKS[Math.max(0, ...scopes.map((scope) => RANKS.indexOf(LOWEST_ROLE[scope])))] as GrantRole

export const isWithin = (scopes: readonly Scope[], granted: readonly Scope[]): boolean => scopes.every((scope) => granted.includes(scope))

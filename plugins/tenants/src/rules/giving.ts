import { atLeast, Forbidden, type Principal, type TenantRole } from '@gateway/sdk'

/**
 * Throws FORBIDDEN unless the caller may do everything that a key of the role may: nobody gains power through keys. Also in
 * shadow mode, because a key that was issued cannot be treated as a call that would only have been refused.
 */
export function requireRank({ role }: Principal, of: TenantRole, what: string): void {
  if (!atLeast(role, of)) throw Forbidden({ message: `The role ${role} may not ${what} a key of the role ${of}.` })
}

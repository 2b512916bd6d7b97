import { atLeast, Forbidden, type Principal, type TenantRole } from '@gateway/sdk'

/**
 * Throws FORBIDDEN unless the caller may do all that a key of the role may: nobody comes by more power through keys. In shadow mode
 * too, as what a key was given cannot be taken for a call that only would have been refused.
 */
export function requireRank({ role }: Principal, of: TenantRole, what: string): void {
  if (!atLeast(role, of)) throw Forbidden({ message: `The role ${role} may not ${what} a key of the role ${of}.` })
}

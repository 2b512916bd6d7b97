import type { Capability, Principal, Role } from '@gateway/sdk'

/** The roles that hold each capability, least first. Roles rank viewer < member < admin < owner; machine principals hold all. */
const holders: Readonly<Record<Capability, readonly Role[]>> = {
  read: ['viewer', 'member', 'admin', 'owner', 'system', 'operator'],
  work: ['member', 'admin', 'owner', 'system', 'operator'],
  configure: ['admin', 'owner', 'system', 'operator'],
  members: ['admin', 'owner', 'system', 'operator'],
  billing: ['owner', 'system', 'operator'],
  operator: ['system', 'operator'],
}

export const capabilities = Object.keys(holders) as readonly Capability[]

export function holds(role: Role, capability: Capability): boolean {
  return holders[capability].includes(role)
}

export function leastRole(capability: Capability): Role {
  return capability === 'operator' ? 'operator' : (holders[capability][0] as Role)
}

/**
 * `shadow`: the caller lacks the capability, but enforcement is off, so the call is logged and allowed. Operator-only
 * operations are always enforced.
 */
export type Decision = 'allowed' | 'shadow' | 'denied'

export function decide(role: Role, capability: Capability, enforce: boolean, scopes?: readonly Capability[]): Decision {
  if (scopes?.includes(capability) === false) return 'denied'
  if (holds(role, capability)) return 'allowed'
  return enforce || capability === 'operator' ? 'denied' : 'shadow'
}

/** True if the caller's role, and the scopes of its token, admit it to data that need the capability. */
export const admits = ({ role, scopes }: Pick<Principal, 'role' | 'scopes'>, capability: Capability, enforce: boolean): boolean =>
  decide(role, capability, enforce, scopes) !== 'denied'

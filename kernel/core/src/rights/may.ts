import { type Capability, LOCAL_TENANT, type Operation, type Principal, type Role } from '@gateway/sdk'

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

/** Members of a caller that decide which operations it sees. */
export type Standing = Pick<Principal, 'role' | 'tenantId'>
export type Guarded = Pick<Operation, 'capability' | 'localOnly'>

/** The capability that an operation needs of callers of a tenant. */
export const capabilityFor = ({ capability, localOnly }: Guarded, tenantId: string): Capability =>
  localOnly !== undefined && tenantId !== LOCAL_TENANT ? 'operator' : capability

/** True if an operation does not always refuse the caller. */
export const maySee = ({ role, tenantId }: Standing, operation: Guarded, enforce: boolean): boolean =>
  decide(role, capabilityFor(operation, tenantId), enforce) !== 'denied'

/** Callers of one key see the same operations, so that lists are cached by it. */
export const standingKey = ({ role, tenantId }: Standing): string => (tenantId === LOCAL_TENANT ? role : `tenant's ${role}`)

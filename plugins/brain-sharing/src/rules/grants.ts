import type { Grant, Level } from '../schema.ts'

/** Neither part can contain a blank. */
export const grantId = (namespace: string, granteeTenantId: string): string => `${namespace} ${granteeTenantId}`

export function allows(grant: Grant | undefined, level: Level): boolean {
  if (grant === undefined || grant.revokedAt !== undefined) return false
  return level === 'read' || grant.level === 'read-write'
}

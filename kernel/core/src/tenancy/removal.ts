import { type CollectionRef, LOCAL_TENANT, type TenantRemoval } from '@gateway/sdk'
import { type Store, tenantDocuments } from '@gateway/storage'
import type { Clock } from '../clock.ts'
import { newId } from '../ids.ts'
import type { AuditTrail } from '../ports/audit.ts'
import { argumentsDigest } from '../registry/digest.ts'
import { tenants } from './collections.ts'

/** A tenant’s record stays, as its tombstone. */
export function openRemoval(store: Store, audit: AuditTrail, clock: Clock, refs: readonly CollectionRef[]): TenantRemoval {
  const ofTenant = refs.filter(({ id }) => id !== tenants.id)
  const { counts, removeSome } = tenantDocuments(store, ofTenant)
  return {
    async holds(tenantId) {
      const days = await audit.days(tenantId)
      return { ...(await counts(tenantId)), ...(days > 0 && { 'audit.days': days }) }
    },
    removeSome,
    removeTrail: (tenantId) => audit.remove(tenantId),
    purgeTrail: (tenantId, before) => audit.purge(tenantId, before),
    scrub: () => store.scrub(),
    prove: (name, details) => {
      const principal = { id: 'system', kind: 'system', role: 'system', tenantId: LOCAL_TENANT } as const
      const entry = { at: clock.now(), principal, name, tool: name, argsDigest: argumentsDigest({}), decision: 'ok', via: 'job' } as const
      return audit.append(LOCAL_TENANT, [{ ...entry, requestId: newId('removal-', clock.now()), details }])
    },
  }
}

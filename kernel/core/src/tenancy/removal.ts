import { type CollectionRef, defined, LOCAL_TENANT, type TenantRemoval } from '@gateway/sdk'
import { type Store, tenantDocuments } from '@gateway/storage'
import { argumentsDigest } from '@gateway/validation'
import type { Clock } from '../clock.ts'
import type { AuditTrail } from '../ports/audit.ts'
import { tenants } from './collections.ts'

/** The record of a removed tenant stays as its tombstone. */
export function openRemoval(
  parts: { store: Store; audit: AuditTrail; clock: Clock; removed: (tenantId: string) => Promise<void> },
  refs: readonly CollectionRef[],
): TenantRemoval {
  const { store, audit, clock } = parts
  const ofTenant = refs.filter(({ id }) => id !== tenants.id)
  const { counts, removeSome } = tenantDocuments(store, ofTenant)
  return {
    async holds(tenantId) {
      const days = await audit.days(tenantId)
      return { ...(await counts(tenantId)), ...(days > 0 && { 'audit.days': days }) }
    },
    removeSome,
    async removeTrail(tenantId) {
      await audit.remove(tenantId)
      await parts.removed(tenantId)
    },
    trails: () => audit.tenants(),
    purgeTrail: (tenantId, before) => audit.purge(tenantId, before),
    scrub: () => store.scrub(),
    prove: (proofId, name, details) => {
      const principal = { id: 'system', kind: 'system', role: 'system', tenantId: LOCAL_TENANT } as const
      const entry = { at: clock.now(), principal, name, tool: name, argsDigest: argumentsDigest({}), decision: 'ok', via: 'job' } as const
      return audit.append(LOCAL_TENANT, [{ ...entry, requestId: proofId, details }])
    },
    async isProven(proofId, since) {
      let cursor: string | undefined
      do {
        const page = await audit.search(LOCAL_TENANT, { requestId: proofId, from: since, limit: 1, ...defined({ cursor }) })
        if (page.records.length > 0) return true
        cursor = page.nextCursor
      } while (cursor !== undefined)
      return false
    },
  }
}

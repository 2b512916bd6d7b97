import { setTimeout as after } from 'node:timers/promises'
import type { CollectionRef } from '@gateway/sdk'
import { KERNEL_TENANT } from './kernel-tenant.ts'
import type { Store } from './port.ts'

/** Batch size, about half a millisecond of work: concurrent writers wait that much longer, plus a slightly longer sync. */
const BATCH = 40
/** Pause between batches, as a multiple of the batch's duration. */
const PAUSES = 3

interface OfTenant {
  readonly tenantId: string
}

/** Everything that a store keeps of a tenant, for all plugins: its own documents, and others whose `tenantId` names it. */
export interface TenantDocuments {
  counts(tenantId: string): Promise<Readonly<Record<string, number>>>
  /**
   * Removes some of them, then pauses three times as long as that took, so that others can use the store; 0 when none are left.
   */
  removeSome(tenantId: string): Promise<number>
}

export function tenantDocuments(store: Store, refs: readonly CollectionRef[]): TenantDocuments {
  const beyond = refs
    .filter(({ schema }) => 'tenantId' in (schema as unknown as { properties: object }).properties)
    .map((ref) => ({ id: ref.id, documents: store.collection<OfTenant>(ref, KERNEL_TENANT) }))

  async function removeBatch(tenantId: string): Promise<number> {
    const removed = await store.removeSome(tenantId, BATCH)
    if (removed > 0) return removed
    let named = 0
    for (const { documents } of beyond) named += await documents.deleteMany({ tenantId })
    return named
  }

  return {
    async counts(tenantId) {
      const counts: Record<string, number> = { ...(await store.documentsOf(tenantId)) }
      for (const { id, documents } of beyond) {
        const count = await documents.count({ tenantId })
        if (count > 0) counts[id] = (counts[id] ?? 0) + count
      }
      return counts
    },
    async removeSome(tenantId) {
      const startedAt = performance.now()
      const removed = await removeBatch(tenantId)
      if (removed > 0) await after((performance.now() - startedAt) * PAUSES)
      return removed
    },
  }
}

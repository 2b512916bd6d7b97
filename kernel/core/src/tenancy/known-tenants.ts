import { closed, defineCollection, Type } from '@gateway/sdk'
import { KERNEL_TENANT, type Store } from '@gateway/storage'

export const knownTenants = defineCollection('gateway.known-tenants', {
  schema: Type.Object({ tenantId: Type.String() }, closed),
  key: 'tenantId',
})

/** The tenants that may have documents, for what runs by itself. Asking each collection would cost more with each plugin. */
export interface KnownTenants {
  /** Before a tenant’s call; resolves when every node will know of it, and is nothing to wait for from then on. */
  meet(tenantId: string): Promise<void> | undefined
  /** Whether the tenant has called in this process. */
  has(tenantId: string): boolean
  all(): Promise<readonly string[]>
}

/** `met` hears of a tenant once a process, when it is known. */
export function openKnownTenants(store: Store, met: (tenantId: string) => void = () => undefined): KnownTenants {
  const records = store.collection<{ tenantId: string }>(knownTenants, KERNEL_TENANT)
  const known = new Set<string>()
  let withDocuments: Promise<readonly string[]> | undefined

  async function remember(tenantId: string): Promise<void> {
    await records.upsert({ tenantId }, {})
    if (known.has(tenantId)) return
    known.add(tenantId)
    met(tenantId)
  }

  /** Once a process: those of a version that kept no list, and of documents that came by another way. */
  function tenantsWithDocuments(): Promise<readonly string[]> {
    withDocuments ??= store.tenants().catch((error: unknown) => {
      withDocuments = undefined
      throw error
    })
    return withDocuments
  }

  return {
    meet: (tenantId) => (known.has(tenantId) ? undefined : remember(tenantId)),
    has: (tenantId) => known.has(tenantId),
    async all() {
      const tenants = new Set([...(await tenantsWithDocuments()), ...(await records.distinct('tenantId'))])
      tenants.delete(KERNEL_TENANT)
      return [...tenants]
    },
  }
}

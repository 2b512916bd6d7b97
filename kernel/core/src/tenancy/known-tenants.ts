import { closed, defineCollection, Type } from '@gateway/sdk'
import { KERNEL_TENANT, type Store } from '@gateway/storage'

export const knownTenants = defineCollection('gateway.known-tenants', {
  schema: Type.Object({ tenantId: Type.String() }, closed),
  key: 'tenantId',
})

/** The tenants that may have documents, for background work. Asking each collection would cost more with every plugin. */
export interface KnownTenants {
  /** Called before a tenant's call. Resolves when every node knows the tenant; returns undefined from then on. */
  ensureKnown(tenantId: string): Promise<void> | undefined
  /** True if the tenant has called in this process. */
  has(tenantId: string): boolean
  all(): Promise<readonly string[]>
}

/** `onKnown` is called once per process and tenant. */
export function openKnownTenants(store: Store, onKnown: (tenantId: string) => void = () => undefined): KnownTenants {
  const records = store.collection<{ tenantId: string }>(knownTenants, KERNEL_TENANT)
  const known = new Set<string>()
  let withDocuments: Promise<readonly string[]> | undefined

  async function remember(tenantId: string): Promise<void> {
    await records.upsert({ tenantId }, {})
    if (known.has(tenantId)) return
    known.add(tenantId)
    onKnown(tenantId)
  }

  /** Runs once per process: finds tenants from versions that kept no list, and documents written by other means. */
  function tenantsWithDocuments(): Promise<readonly string[]> {
    withDocuments ??= store.tenants().catch((error: unknown) => {
      withDocuments = undefined
      throw error
    })
    return withDocuments
  }

  return {
    ensureKnown: (tenantId) => (known.has(tenantId) ? undefined : remember(tenantId)),
    has: (tenantId) => known.has(tenantId),
    async all() {
      const tenants = new Set([...(await tenantsWithDocuments()), ...(await records.distinct('tenantId'))])
      tenants.delete(KERNEL_TENANT)
      return [...tenants]
    },
  }
}

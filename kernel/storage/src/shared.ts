import type { Collection, Principal, SharedDocuments } from '@gateway/sdk'

/** A collection of another tenant, limited to documents that name the caller's tenant in `field`. */
export function sharedWith(tenantId: Principal['tenantId'], collection: Collection<object>, field: string): SharedDocuments<object> {
  return {
    async get(id) {
      const found = (await collection.get(id)) as Readonly<Record<string, unknown>> | undefined
      return found?.[field] === tenantId ? found : undefined
    },
  }
}

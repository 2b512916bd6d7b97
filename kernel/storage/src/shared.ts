import type { Collection, Principal, SharedDocuments } from '@gateway/sdk'

/** A collection of another tenant, as far as its documents name the caller’s in `field`. */
export function sharedWith(tenantId: Principal['tenantId'], collection: Collection<object>, field: string): SharedDocuments<object> {
  return {
    async get(id) {
      const found = (await collection.get(id)) as Readonly<Record<string, unknown>> | undefined
      return found?.[field] === tenantId ? found : undefined
    },
  }
}

import type { BootedGateway } from '@gateway/kernel'
import { outputCheck } from '@gateway/validation'

/** Documents that are checked of a collection and tenant: the first by id. */
const MAX_DOCUMENTS = 500

/** Notes which collections a test's gateway writes. The result returns, before the stop, the fault of each that contradicts its schema. */
export function watchWritten(gateway: BootedGateway): () => Promise<readonly string[]> {
  const refs = new Map(gateway.inventory.plugins.flatMap((plugin) => plugin.collections).map((ref) => [ref.id, ref]))
  const written = new Map<string, Set<string>>()
  gateway.store.changes?.listen((collection, tenantId) => {
    if (refs.has(collection)) written.set(collection, (written.get(collection) ?? new Set()).add(tenantId))
  })
  return async () => {
    const faults: string[] = []
    for (const [id, tenants] of written) {
      const ref = refs.get(id)
      if (ref === undefined) continue
      const check = outputCheck(ref.schema, {
        isStrict: true,
        report: () => {},
        root: 'document',
        says: `${id} was written against its schema`,
      })
      for (const tenantId of tenants) {
        const { items } = await gateway.store.collection(ref, tenantId).find({ limit: MAX_DOCUMENTS })
        try {
          items.forEach(check)
        } catch (error) {
          faults.push((error as Error).message)
          break
        }
      }
    }
    return faults
  }
}

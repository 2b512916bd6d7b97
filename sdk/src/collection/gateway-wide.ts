import type { Ref } from '../ref.ts'
import type { Infer, ObjectSchema } from '../schema.ts'
import type { Collection } from './collection.ts'
import type { CollectionRef } from './declaration.ts'

/**
 * Documents that hold for every tenant: any caller reads them, `system` and `operator` write them. They belong to no tenant, so
 * they take part in no tenant's transaction and must contain nothing of a tenant.
 */
export interface GatewayWide<Doc> extends Pick<Collection<Doc>, 'get' | 'getMany' | 'find' | 'count' | 'search'> {
  /** The collection for writing. Throws FORBIDDEN for a tenant's caller, whether or not roles are enforced. */
  writable(): Collection<Doc>
}
/** Ref that `gatewayWide` returns. */
export interface GatewayWideRef<Doc> extends Ref<'gateway-wide', GatewayWide<Doc>> {
  readonly of: CollectionRef
}

/**
 * Gives access to the plugin's own collection for documents that the operator keeps for all tenants; each tenant also has its own
 * documents.
 */
export function gatewayWide<S extends ObjectSchema>(collection: CollectionRef<S>): GatewayWideRef<Infer<S>> {
  return { kind: 'gateway-wide', id: collection.id, of: collection }
}

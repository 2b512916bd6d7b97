import type { Ref } from '../ref.ts'
import type { Infer, ObjectSchema } from '../schema.ts'
import type { Collection } from './collection.ts'
import type { CollectionRef } from './declaration.ts'

/**
 * Documents that hold for every tenant alike: any caller reads them, `system` and `operator` write them. They belong to
 * no tenant, so they take part in no tenant’s transaction, and nothing of a tenant has a place in them.
 */
export interface GatewayWide<Doc> extends Pick<Collection<Doc>, 'get' | 'getMany' | 'find' | 'count' | 'search'> {
  /** The collection to write to. Throws FORBIDDEN for a tenant’s caller, enforcement or not. */
  writable(): Collection<Doc>
}
/** What `gatewayWide` gives a plugin to use. */
export interface GatewayWideRef<Doc> extends Ref<'gateway-wide', GatewayWide<Doc>> {
  readonly of: CollectionRef
}

/** One’s own collection once more, for what the operator says to all tenants; each tenant has its own documents beside it. */
export function gatewayWide<S extends ObjectSchema>(collection: CollectionRef<S>): GatewayWideRef<Infer<S>> {
  return { kind: 'gateway-wide', id: collection.id, of: collection }
}

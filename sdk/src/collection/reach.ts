import type { Ref } from '../ref.ts'
import type { Infer, ObjectSchema } from '../schema.ts'
import type { Collection } from './collection.ts'
import type { CollectionRef } from './declaration.ts'

/** A collection in one tenant. */
export interface InTenant<Doc> {
  readonly tenantId: string
  readonly collection: Collection<Doc>
}

/** A collection in each tenant that the caller reaches, the caller's own first. */
export interface Reach<Doc> {
  (): Promise<readonly InTenant<Doc>[]>
  /** The collection in one of these tenants; throws FORBIDDEN for a tenant that the caller does not reach. */
  of(tenantId: string): Collection<Doc>
}
/** Ref that `throughout` returns. */
export interface ReachRef<Doc> extends Ref<'reach', Reach<Doc>> {
  readonly of: CollectionRef
}

/**
 * Gives access to the plugin's own collection in every tenant that the caller reaches: its own tenant for a tenant's caller,
 * every tenant for `system` and `operator`. Meant for tools that show the whole fleet to its operator.
 */
export function throughout<S extends ObjectSchema>(collection: CollectionRef<S>): ReachRef<Infer<S>> {
  return { kind: 'reach', id: collection.id, of: collection }
}

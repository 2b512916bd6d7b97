import type { Ref } from '../ref.ts'
import type { Infer, ObjectSchema } from '../schema.ts'
import type { Collection } from './collection.ts'
import type { CollectionRef } from './declaration.ts'

/** A collection as one tenant has it. */
export interface InTenant<Doc> {
  readonly tenantId: string
  readonly collection: Collection<Doc>
}

/** A collection in each tenant the caller reaches. The first is the caller’s own. */
export interface Reach<Doc> {
  (): Promise<readonly InTenant<Doc>[]>
  /** In one of them; throws FORBIDDEN for a tenant the caller does not reach. */
  of(tenantId: string): Collection<Doc>
}
/** What `throughout` makes. */
export interface ReachRef<Doc> extends Ref<'reach', Reach<Doc>> {
  readonly of: CollectionRef
}

/**
 * One’s own collection in every tenant the caller reaches: the own tenant for a tenant’s caller, every tenant for `system`
 * and `operator`. For tools that show the whole fleet to who runs it.
 */
export function throughout<S extends ObjectSchema>(collection: CollectionRef<S>): ReachRef<Infer<S>> {
  return { kind: 'reach', id: collection.id, of: collection }
}

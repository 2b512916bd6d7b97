import type { Ref } from '../ref.ts'
import type { Infer, ObjectSchema } from '../schema.ts'
import type { CollectionRef } from './declaration.ts'

/** Documents of another tenant that name the caller’s: each other one is as if it were not there. */
export interface SharedDocuments<Doc> {
  get(id: string): Promise<Doc | undefined>
}
/** What `sharedWithCaller` makes. */
export interface SharedRef<Doc> extends Ref<'shared', (ownerTenantId: string) => SharedDocuments<Doc>> {
  readonly of: CollectionRef
  readonly field: string
}

/**
 * One’s own collection in a tenant the caller names, as far as `field` of a document holds the caller’s tenant: a grant given to
 * it, an invitation. Read-only, and read where its owner writes it, so that what the owner takes back is gone with the next call.
 */
export function sharedWithCaller<S extends ObjectSchema>(
  collection: CollectionRef<S>,
  field: keyof Infer<S> & string,
): SharedRef<Infer<S>> {
  return { kind: 'shared', id: collection.id, of: collection, field }
}

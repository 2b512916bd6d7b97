import type { Ref } from '../ref.ts'
import type { Infer, ObjectSchema } from '../schema.ts'
import type { CollectionRef } from './declaration.ts'

/** Documents of another tenant that name the caller's tenant; all others appear not to exist. */
export interface SharedDocuments<Doc> {
  get(id: string): Promise<Doc | undefined>
}
/** Ref that `sharedWithCaller` returns. */
export interface SharedRef<Doc> extends Ref<'shared', (ownerTenantId: string) => SharedDocuments<Doc>> {
  readonly of: CollectionRef
  readonly field: string
}

/**
 * Gives access to the plugin's own collection in a tenant that the caller names, limited to documents whose `field` holds the
 * caller's tenant, such as a grant or an invitation. It is read-only and reads where the owner writes, so a revoked grant is
 * gone at the next call.
 */
export function sharedWithCaller<S extends ObjectSchema>(
  collection: CollectionRef<S>,
  field: keyof Infer<S> & string,
): SharedRef<Infer<S>> {
  return { kind: 'shared', id: collection.id, of: collection, field }
}

import type { Collection, TenantAdmin, TenantKey } from '@gateway/sdk'
import type { StoredInvitation } from '../schema.ts'

const MAX_INVITATIONS = 1_000

interface Refs {
  readonly tenants: Pick<TenantAdmin, 'listKeys' | 'revokeKey'>
  readonly invitations: Collection<StoredInvitation>
}

/** Revokes the keys that a member made, the keys made with those, and all their waiting invitations. Returns the keys. */
export async function endWork({ tenants, invitations }: Refs, tenantId: string, callerId: string): Promise<readonly TenantKey[]> {
  const { keys, makers } = madeBy(await tenants.listKeys(tenantId), callerId)
  // A key that somebody else revokes at the same time is gone as well.
  for (const { keyId } of keys) await tenants.revokeKey(tenantId, keyId).catch(() => undefined)
  const { items } = await invitations.find({ limit: MAX_INVITATIONS })
  for (const { hash, madeBy } of items) if (madeBy !== undefined && makers.has(madeBy)) await invitations.deleteOne(hash)
  return keys
}

function madeBy(
  all: readonly TenantKey[],
  callerId: string,
): { readonly keys: readonly TenantKey[]; readonly makers: ReadonlySet<string> } {
  const makers = new Set([callerId])
  const keys: TenantKey[] = []
  let rest = all
  for (let found = 1; found > 0; ) {
    const next = rest.filter((key) => key.madeBy !== undefined && makers.has(key.madeBy))
    for (const { keyId } of next) makers.add(`key:${keyId}`)
    keys.push(...next)
    rest = rest.filter((key) => !next.includes(key))
    found = next.length
  }
  return { keys, makers }
}

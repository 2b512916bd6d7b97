import type { Resolved } from '@gateway/sdk'
import { sharedWithCaller } from '@gateway/sdk'
import { grants } from '../collections.ts'
import { NoGrant } from '../errors.ts'
import { allows, grantId } from '../rules/grants.ts'
import type { Level } from '../schema.ts'

export const grantUses = { granted: sharedWithCaller(grants, 'granteeTenantId') }

/** Throws NO_GRANT. Reads the owner's records, so that a revocation on any node holds from the next call on. */
export async function checkGrant(
  { granted }: Resolved<typeof grantUses>,
  tenantId: string,
  asked: { readonly ownerTenantId: string; readonly namespace: string; readonly level: Level },
): Promise<void> {
  const grant = await granted(asked.ownerTenantId).get(grantId(asked.namespace, tenantId))
  if (!allows(grant, asked.level)) throw NoGrant(asked)
}

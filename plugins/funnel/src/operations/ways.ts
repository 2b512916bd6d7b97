import { type Resolved, tenantAdmin, throughout } from '@gateway/sdk'
import { mapConcurrently } from '@gateway/sdk/bounds'
import { journeys } from '../collections.ts'
import type { Way } from '../rules/funnel.ts'
import { JOURNEY } from '../services/activation.ts'

export const reading = { tenants: tenantAdmin, everywhere: throughout(journeys) }
type Refs = Resolved<typeof reading>

/** Each tenant costs one read: further sign-ups are not read, and the answer says so. */
const MAX_TENANTS = 10_000
const AT_ONCE = 100

/** Journeys of the tenants that signed up since then, the latest ones if there are too many. */
export async function waysSince({ tenants, everywhere }: Refs, since: string | undefined): Promise<{ ways: Way[]; truncated: boolean }> {
  const all = (await tenants.list()).filter(({ createdAt }) => since === undefined || createdAt >= since)
  const latest = all.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1)).slice(0, MAX_TENANTS)
  const byTenant = new Map((await everywhere()).map(({ tenantId, collection }) => [tenantId, collection]))
  const ways = await mapConcurrently(latest, AT_ONCE, async ({ tenantId, createdAt }): Promise<Way> => {
    const { journeyId: _id, ...steps } = (await byTenant.get(tenantId)?.get(JOURNEY)) ?? { journeyId: JOURNEY }
    return { signup: createdAt, ...steps }
  })
  return { ways, truncated: all.length > latest.length }
}

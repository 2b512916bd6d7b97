import { DAY_MS, type Tenant } from '@gateway/sdk'
import type { Asked, Ending } from '../schema.ts'

/** Calls under way when a tenant was deleted may have written a little later; for this long their data is searched for again. */
const LOOK_AGAIN_MS = 2 * DAY_MS

export const daysBefore = (now: Date, days: number): string => new Date(now.getTime() - days * DAY_MS).toISOString()

export const fieldOf = { erasure: 'erasureRequestedAt', cancellation: 'cancelledAt' } as const

/** The earlier request has ended a tenant: the two sweeps never work on the same one. */
function endedBy({ erasureRequestedAt, cancelledAt }: Tenant): Asked {
  if (erasureRequestedAt === undefined) return 'cancellation'
  return cancelledAt !== undefined && cancelledAt < erasureRequestedAt ? 'cancellation' : 'erasure'
}

export interface Due {
  /** To be deleted, with all their data removed. */
  readonly fresh: readonly Tenant[]
  /** Deleted already, but a crash or fault came in between. */
  readonly unfinished: readonly Tenant[]
  /** Done a moment ago, or late data is not proven yet. */
  readonly recent: readonly Tenant[]
  readonly held: readonly string[]
}

export function dueTenants(
  tenants: readonly Tenant[],
  endings: ReadonlyMap<string, Ending>,
  { asked, before, now }: { readonly asked: Asked; readonly before: string; readonly now: Date },
): Due {
  const past = tenants.filter((tenant) => tenant.status !== 'deleted' && (tenant[fieldOf[asked]] ?? before) < before)
  const deleted = tenants.filter(
    (tenant) => tenant.status === 'deleted' && (endings.get(tenant.tenantId)?.asked ?? endedBy(tenant)) === asked,
  )
  const isDone = ({ tenantId }: Tenant): boolean => endings.get(tenantId)?.phase === 'done'
  const since = new Date(now.getTime() - LOOK_AGAIN_MS).toISOString()
  return {
    fresh: past.filter(({ legalHold }) => !legalHold),
    unfinished: deleted.filter((tenant) => !isDone(tenant)),
    recent: deleted.filter((tenant) => {
      const { finishedAt = '', late } = endings.get(tenant.tenantId) ?? {}
      return isDone(tenant) && (late !== undefined || finishedAt > since)
    }),
    held: past.filter(({ legalHold }) => legalHold).map(({ tenantId }) => tenantId),
  }
}

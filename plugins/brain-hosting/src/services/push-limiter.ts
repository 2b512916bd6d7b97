import { BrainQuotaExceeded } from '@gateway/plugin-brain/api'
import { git } from '@gateway/plugin-git/api'
import { defineService, findTenant, gatewayInfo, planWithoutRecord, provideProcess, type Tenant, tenantAdmin } from '@gateway/sdk'
import { BoundedMap, Permits } from '@gateway/sdk/bounds'
import { config } from '../config.ts'
import { remoteUrl } from '../rules/remote-url.ts'

export interface Quota {
  readonly plan: Tenant['plan']
  readonly usedBytes: number
  readonly capBytes: number
}
/** Brain capacity that one push has taken so far. */
export interface Reservation {
  /** Bytes that are free when the push begins. */
  readonly left: number
  /** Takes capacity, or returns a sentence with the reason why it is not available. */
  take(bytes: number): string | undefined
  /** Returns a sentence that says why the data stored by the push does not fit. Measures now. */
  fault(storedBytes: number): Promise<string | undefined>
  release(): void
}
/** State shared by all calls of this process. */
export interface PushLimiter {
  urlOf(tenantId: string): string
  /** Returns the quota, measured now. */
  quotaOf(tenantId: string): Promise<Quota>
  /** Throws BRAIN_QUOTA_EXCEEDED. Measures from time to time, and counts in between. */
  checkRoom(tenantId: string, bytes: number): Promise<void>
  /** Reserves capacity for a push in progress, which takes it piece by piece. */
  reserve(tenantId: string): Promise<Reservation>
  /** Limits concurrent transfers, per tenant and in total. */
  readonly transfers: Permits
}
export const pushLimiter = defineService<PushLimiter>('brain-hosting.push-limiter', 'process')

const MEGABYTE = 1_024 * 1_024
/** Measuring walks the packs, so a busy brain is not measured on every write. */
const MEASURE_EVERY_MS = 10_000
const MAX_MEASURES = 5_000

interface Measure {
  readonly quota: Quota
  readonly until: number
  /** Bytes that are free, including those of pushes in progress. */
  room: number
}

export const pushLimiterProvider = provideProcess(pushLimiter, {
  uses: { config, git, tenants: tenantAdmin, gateway: gatewayInfo },
  create({ config, git, tenants, gateway }): PushLimiter {
    const measured = new BoundedMap<string, Measure>(MAX_MEASURES)
    /** Bytes that pushes in progress have taken, by tenant. */
    const reserved = new Map<string, number>()
    const takenOf = (tenantId: string): number => reserved.get(tenantId) ?? 0

    async function quotaOf(tenantId: string): Promise<Quota> {
      const [tenant, { bytes }] = await Promise.all([findTenant(tenants, tenantId), git.brain(tenantId).usage()])
      const plan = tenant?.plan ?? planWithoutRecord
      return { plan, usedBytes: bytes, capBytes: config.quotaMegabytes[plan] * MEGABYTE }
    }

    async function measure(tenantId: string): Promise<Measure> {
      const quota = await quotaOf(tenantId)
      const known = { quota, room: quota.capBytes - quota.usedBytes, until: performance.now() + MEASURE_EVERY_MS }
      measured.set(tenantId, known)
      return known
    }

    return {
      urlOf: (tenantId) => remoteUrl(tenantId, config.publicUrl, gateway.address),
      quotaOf,
      transfers: new Permits(),
      async checkRoom(tenantId, bytes) {
        const last = measured.get(tenantId)
        const known = last && last.until > performance.now() ? last : await measure(tenantId)
        if (known.room - takenOf(tenantId) < bytes) {
          // The count may include data that was cleared away since, so only a fresh measurement refuses.
          const fresh = known === last ? await measure(tenantId) : known
          const { usedBytes, capBytes } = fresh.quota
          if (fresh.room - takenOf(tenantId) < bytes) throw BrainQuotaExceeded({ bytes, usedBytes, capBytes })
        }
        known.room -= bytes
      },
      async reserve(tenantId) {
        const begin = await measure(tenantId)
        let own = 0
        const set = (bytes: number): void => {
          const all = takenOf(tenantId) + bytes - own
          own = bytes
          if (all > 0) reserved.set(tenantId, all)
          else reserved.delete(tenantId)
        }
        return {
          left: Math.max(0, begin.room - takenOf(tenantId)),
          take(bytes) {
            const { room, quota } = measured.get(tenantId) ?? begin
            if (room - takenOf(tenantId) < bytes) return noRoom(quota)
            set(own + bytes)
            return undefined
          },
          async fault(storedBytes) {
            const { room, quota } = await measure(tenantId)
            return room - (takenOf(tenantId) - own) < storedBytes ? noRoom(quota) : undefined
          },
          release() {
            set(0)
            // Accepted data counts from now on.
            measured.delete(tenantId)
          },
        }
      },
    }
  },
})

const noRoom = ({ usedBytes, capBytes }: Quota): string =>
  `The brain uses ${usedBytes} of the ${capBytes} bytes of its size quota, and this does not fit.`

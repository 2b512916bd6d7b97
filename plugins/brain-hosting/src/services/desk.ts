import { git } from '@gateway/plugin-git/api'
import { Conflict, defineService, gatewayInfo, isToolError, NotFound, provideProcess, type Tenant, tenantAdmin } from '@gateway/sdk'
import { BoundedMap, Permits } from '@gateway/sdk/bounds'
import { config } from '../config.ts'
import { remoteUrl } from '../rules/remote-url.ts'

export interface Quota {
  readonly plan: Tenant['plan']
  readonly usedBytes: number
  readonly capBytes: number
}
/** What all calls of this process share. */
export interface Desk {
  urlOf(tenantId: string): string
  /** Measured now. */
  quotaOf(tenantId: string): Promise<Quota>
  /** Throws CONFLICT. Measures now and then, and counts in between. */
  checkRoom(tenantId: string, bytes: number): Promise<void>
  /** So many transfers at a time, of a tenant and of all. */
  readonly transfers: Permits
}
export const desk = defineService<Desk>('brain-hosting.desk', 'process')

const MEGABYTE = 1_024 * 1_024
/** A measure walks the packs: on a busy brain not with every write. */
const MEASURE_EVERY_MS = 10_000
const MAX_MEASURES = 5_000

export const deskProvider = provideProcess(desk, {
  uses: { config, git, tenants: tenantAdmin, gateway: gatewayInfo },
  create({ config, git, tenants, gateway }): Desk {
    const measured = new BoundedMap<string, { room: number; readonly quota: Quota; readonly until: number }>(MAX_MEASURES)

    /** Who has no record is the machine’s owner: nothing is sold to it. */
    async function planOf(tenantId: string): Promise<Tenant['plan']> {
      try {
        return (await tenants.get(tenantId)).plan
      } catch (error) {
        if (isToolError(error) && error.code === NotFound.code) return 'scale'
        throw error
      }
    }

    async function quotaOf(tenantId: string): Promise<Quota> {
      const [plan, { bytes }] = await Promise.all([planOf(tenantId), git.brain(tenantId).usage()])
      return { plan, usedBytes: bytes, capBytes: config.quotaMegabytes[plan] * MEGABYTE }
    }

    async function measure(tenantId: string) {
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
        if (known.room < bytes) {
          // What was counted may have been cleared away since: only a measure refuses.
          const { quota, room } = known === last ? await measure(tenantId) : known
          if (room < bytes)
            throw Conflict({
              message: `The brain has ${quota.usedBytes} of the ${quota.capBytes} bytes its plan allows, and no room for this.`,
            })
        }
        known.room -= bytes
      },
    }
  },
})

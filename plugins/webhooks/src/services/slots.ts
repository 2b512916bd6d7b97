import { defineService, provideProcess } from '@gateway/sdk'
import { Permits } from '@gateway/sdk/bounds'
import { config } from '../config.ts'

/** Limits the deliveries and inbound webhooks that this process handles concurrently. */
export interface Slots {
  /** Runs the work, or answers `undefined` at once when the tenant, or all of them together, have as many under way as they may. */
  deliver<T>(tenantId: string, work: () => Promise<T>): Promise<T | undefined>
  /** The same for an inbound webhook. */
  receive<T>(work: () => Promise<T>): Promise<T | undefined>
}
export const slots = defineService<Slots>('webhooks.slots', 'process')

export const slotsProvider = provideProcess(slots, {
  uses: { config },
  create({ config }) {
    const permits = new Permits()
    async function within<T>(shares: readonly { key: string; atMost: number }[], work: () => Promise<T>): Promise<T | undefined> {
      if (permits.take(shares)) return undefined
      try {
        return await work()
      } finally {
        permits.give(shares)
      }
    }
    return {
      deliver: (tenantId, work) =>
        within(
          [
            { key: `out ${tenantId}`, atMost: config.atOncePerTenant },
            { key: 'out', atMost: config.atOnce },
          ],
          work,
        ),
      receive: (work) => within([{ key: 'in', atMost: config.inboundAtOnce }], work),
    }
  },
})

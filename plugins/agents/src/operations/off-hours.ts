import { entitlements } from '@gateway/plugin-entitlements/api'
import { isOffHours } from '@gateway/plugin-plans/api'
import { type CallContext, MINUTE_MS, optional, type Resolved } from '@gateway/sdk'

export const offHoursUses = { plan: optional(entitlements) }

const LIMIT = 'offHoursMinutes'

/**
 * Charges scheduled work of an agent or a skill outside working hours to the minutes of the plan: one to begin, which is
 * required, and then each that has begun. A failure costs nothing.
 */
export async function countOffHours<T>({ plan }: Resolved<typeof offHoursUses>, ctx: CallContext, work: () => Promise<T>): Promise<T> {
  const began = ctx.now()
  if (!plan || ctx.via !== 'job' || !isOffHours(began)) return work()
  await plan.consume(LIMIT, 1)
  const done = await work().catch(async (error: unknown) => {
    await plan.giveBack(LIMIT, 1)
    throw error
  })
  const minutes = Math.ceil((ctx.now().getTime() - began.getTime()) / MINUTE_MS)
  if (minutes > 1) await plan.count(LIMIT, minutes - 1)
  return done
}

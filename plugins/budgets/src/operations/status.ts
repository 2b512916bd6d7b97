import { type CallContext, type Resolved, startOfMonth } from '@gateway/sdk'
import { meters } from '../collections.ts'
import { config } from '../config.ts'
import { capsFor, meterIn, standing, worst } from '../rules/caps.ts'
import { dayResetsAt, meterIds, monthResetsAt } from '../rules/meters.ts'
import { nanosOf, usdOf } from '../rules/money.ts'
import type { BudgetStatus, Meter } from '../schema.ts'

export const statusUses = { meters, config }
type Refs = Resolved<typeof statusUses>
type Meters = ReadonlyMap<string, Meter>

/** Reads only the meters, so the cost does not depend on the spending. */
export async function status({ meters, config }: Refs, ctx: CallContext): Promise<BudgetStatus> {
  const time = ctx.now()
  const channels = Object.keys(config.channels)
  const ids = [...new Set([...channels, ''].flatMap((channel) => Object.values(meterIds(time, channel))))]
  const read = config.enabled ? await readMeters(() => meters.getMany(ids), ctx) : new Map()
  return statusOf(config, time, read)
}

/** Undefined if the store does not answer: dashboards then say so instead of failing. */
async function readMeters(read: () => Promise<readonly Meter[]>, { log }: CallContext): Promise<Meters | undefined> {
  try {
    return new Map((await read()).map((meter) => [meter.meterId, meter]))
  } catch (error) {
    log.warn('the store did not answer; spend shows as zero', { err: error })
    return undefined
  }
}

function statusOf(config: Refs['config'], time: Date, read: Meters | undefined): BudgetStatus {
  const known: Meters = read ?? new Map()
  const { enabled, monthlyCapUsd, dailyCapUsd, downgradeAt, channels } = config
  const ids = meterIds(time, '')
  const month = meterIn(known, ids.month)
  const downgradeUsd = (cap: number): number => usdOf(nanosOf(cap * downgradeAt))
  const orNull = (cap: number | undefined, of = (usd: number): number => usd): number | null => (cap === undefined ? null : of(cap))
  const standings = enabled ? worst(capsFor(config, time), known, downgradeAt) : ({ state: 'ok' } as const)
  const byChannel = Object.entries(channels).map(([channel, { monthlyCapUsd }]) => {
    const { spentNanos, heldNanos } = meterIn(known, meterIds(time, channel).channel)
    const [cap] = capsFor({ downgradeAt, channels }, time, channel)
    return {
      channel,
      monthToDateUsd: usdOf(spentNanos),
      heldUsd: usdOf(heldNanos),
      monthlyCapUsd,
      monthlyDowngradeUsd: downgradeUsd(monthlyCapUsd),
      state: enabled && cap ? standing(cap, known, downgradeAt) : 'ok',
    } as const
  })
  return {
    enabled,
    available: read !== undefined,
    monthToDateUsd: usdOf(month.spentNanos),
    todayUsd: usdOf(meterIn(known, ids.day).spentNanos),
    heldUsd: usdOf(month.heldNanos),
    monthlyCapUsd: orNull(monthlyCapUsd),
    dailyCapUsd: orNull(dailyCapUsd),
    downgradeAt,
    monthlyDowngradeUsd: orNull(monthlyCapUsd, downgradeUsd),
    dailyDowngradeUsd: orNull(dailyCapUsd, downgradeUsd),
    ...standings,
    monthResetsAt: monthResetsAt(startOfMonth(time)),
    dayResetsAt: dayResetsAt(time),
    ...(byChannel.length > 0 && { channels: byChannel }),
  }
}

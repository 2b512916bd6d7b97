import { type CallContext, DAY_MS, type Resolved, startOfMonth } from '@gateway/sdk'
import { meters, sums } from '../collections.ts'
import { dayOf, dimensionMeterIds } from '../rules/meters.ts'
import { usdOf } from '../rules/money.ts'

export const spendDaysUses = { sums, meters }
type Refs = Resolved<typeof spendDaysUses>

/** Months before the days that are looked at, in which an earlier spend is looked for: as long as meters are kept by default. */
const EARLIER_MONTHS = 13

export interface SpendDays {
  /** Spending of each day that had any, in USD. */
  readonly days: readonly number[]
  /** Days that a mean is of: those looked at, from the first spend on. */
  readonly lookbackDays: number
}

/** The days that are looked at, today included, the newest last. */
function daysOf(lookbackDays: number, ctx: Pick<CallContext, 'now'>): readonly Date[] {
  const now = ctx.now().getTime()
  return Array.from({ length: lookbackDays }, (_, at) => new Date(now - (lookbackDays - 1 - at) * DAY_MS))
}

export async function spentOn(
  { sums }: Refs,
  { dimension, value }: { readonly dimension: 'total' | 'channel' | 'agent' | 'task' | 'swarm' | 'model'; readonly value: string },
  lookbackDays: number,
  ctx: Pick<CallContext, 'now'>,
): Promise<SpendDays> {
  const days = daysOf(lookbackDays, ctx).map(dayOf)
  const [since = ''] = days
  const of = { dimension, value, nanos: { gt: 0 } } as const
  const [found, before] = await Promise.all([
    sums.group({ where: { ...of, day: { gte: since } }, by: ['day'], sum: ['nanos'] }),
    sums.find({ where: { ...of, day: { lt: since } }, limit: 1 }),
  ])
  const nanosOf = new Map(found.map(({ key: [day], sums: { nanos = 0 } }) => [String(day), nanos]))
  return spendDays(
    days.map((day) => nanosOf.get(day) ?? 0),
    before.items.length > 0,
  )
}

/** Spending of a key, which has meters and no sums: one for each day and month in which it spent. */
export async function spentOnKey({ meters }: Refs, label: string, lookbackDays: number, ctx: Pick<CallContext, 'now'>): Promise<SpendDays> {
  const days = daysOf(lookbackDays, ctx)
  const first = days[0] as Date
  const sameMonth = Array.from({ length: first.getUTCDate() - 1 }, (_, at) => new Date(first.getTime() - (at + 1) * DAY_MS))
  const months = Array.from(
    { length: EARLIER_MONTHS },
    (_, at) => new Date(Date.UTC(startOfMonth(first).getUTCFullYear(), first.getUTCMonth() - at - 1, 1)),
  )
  const idsOf = (time: Date) => dimensionMeterIds(time, 'key', label)
  const earlier = [...sameMonth.map((day) => idsOf(day).day), ...months.map((month) => idsOf(month).month)]
  const ids = days.map((day) => idsOf(day).day)
  const nanosOf = new Map((await meters.getMany([...ids, ...earlier])).map(({ meterId, spentNanos }) => [meterId, spentNanos]))
  const spent = (id: string): number => nanosOf.get(id) ?? 0
  return spendDays(
    ids.map(spent),
    earlier.some((id) => spent(id) > 0),
  )
}

function spendDays(nanos: readonly number[], wasBefore: boolean): SpendDays {
  const first = nanos.findIndex((one) => one > 0)
  const days = nanos.filter((one) => one > 0).map(usdOf)
  return { days, lookbackDays: wasBefore ? nanos.length : first < 0 ? 1 : nanos.length - first }
}

import type { CallContext, Resolved } from '@gateway/sdk'
import { sums } from '../collections.ts'
import { config } from '../config.ts'
import { dayOf } from '../rules/meters.ts'
import { usdOf } from '../rules/money.ts'
import { suggestDaily, suggestMonthly } from '../rules/suggest.ts'
import type { Suggestion } from '../schema.ts'

export const suggestionsUses = { sums, config }
type Refs = Resolved<typeof suggestionsUses>

const DAY_MS = 86_400_000

/** From the sums of the days looked at, today included. Nothing is changed. */
export async function suggestions({ sums, config }: Refs, lookbackDays: number, ctx: CallContext) {
  const since = dayOf(new Date(ctx.now().getTime() - (lookbackDays - 1) * DAY_MS))
  const spentOn = async (dimension: 'total' | 'channel', value: string): Promise<readonly number[]> => {
    const days = await sums.group({ where: { dimension, day: { gte: since }, value }, by: ['day'], sum: ['nanos'] })
    return days.map(({ sums: { nanos = 0 } }) => usdOf(nanos)).filter((usd) => usd > 0)
  }
  const days = await spentOn('total', '')
  const made: [Suggestion, ...Suggestion[]] = [
    suggestMonthly({ cap: 'monthlyCapUsd', current: config.monthlyCapUsd, days, lookbackDays }),
    suggestDaily({ cap: 'dailyCapUsd', current: config.dailyCapUsd, days, lookbackDays }),
  ]
  for (const [channel, { monthlyCapUsd }] of Object.entries(config.channels)) {
    const cap = `channels.${channel}.monthlyCapUsd`
    made.push(suggestMonthly({ cap, current: monthlyCapUsd, days: await spentOn('channel', channel), lookbackDays }))
  }
  const [{ recommendation, rationale }] = made
  return { lookbackDays, spendDays: days.length, recommendation, rationale, suggestions: made }
}

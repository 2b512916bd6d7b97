import type { CallContext, Resolved } from '@gateway/sdk'
import { sums } from '../collections.ts'
import { config } from '../config.ts'
import { dayOf } from '../rules/meters.ts'
import { usdOf } from '../rules/money.ts'
import { EACH } from '../rules/scope.ts'
import { suggestDaily, suggestMonthly } from '../rules/suggest.ts'
import type { Suggestion } from '../schema.ts'

export const suggestionsUses = { sums, config }
type Refs = Resolved<typeof suggestionsUses>

const DAY_MS = 86_400_000

/** Suggests caps from the sums of the last days, today included. A mean is of the days since the first spend. Nothing is changed. */
export async function suggestions({ sums, config }: Refs, lookbackDays: number, ctx: CallContext) {
  const today = dayOf(ctx.now())
  const since = dayOf(new Date(ctx.now().getTime() - (lookbackDays - 1) * DAY_MS))
  const spentOn = async (dimension: 'total' | 'channel' | 'agent' | 'task' | 'swarm' | 'model', value: string) => {
    const of = { dimension, value, nanos: { gt: 0 } } as const
    const [found, before] = await Promise.all([
      sums.group({ where: { ...of, day: { gte: since } }, by: ['day'], sum: ['nanos'] }),
      sums.find({ where: { ...of, day: { lt: since } }, limit: 1 }),
    ])
    const first = found.map(({ key: [day] }) => String(day)).sort()[0] ?? today
    const sinceFirst = (Date.parse(today) - Date.parse(first)) / DAY_MS + 1
    return {
      days: found.map(({ sums: { nanos = 0 } }) => usdOf(nanos)),
      lookbackDays: before.items.length > 0 ? lookbackDays : sinceFirst,
    }
  }
  const total = await spentOn('total', '')
  const { days } = total
  const made: [Suggestion, ...Suggestion[]] = [
    suggestMonthly({ cap: 'monthlyCapUsd', current: config.monthlyCapUsd, ...total }),
    suggestDaily({ cap: 'dailyCapUsd', current: config.dailyCapUsd, ...total }),
  ]
  for (const [channel, { monthlyCapUsd }] of Object.entries(config.channels)) {
    const cap = `channels.${channel}.monthlyCapUsd`
    made.push(suggestMonthly({ cap, current: monthlyCapUsd, ...(await spentOn('channel', channel)) }))
  }
  for (const [dimension, setting] of [
    ['agent', 'agents'],
    ['task', 'tasks'],
    ['swarm', 'swarms'],
    ['model', 'models'],
  ] as const) {
    for (const [value, { monthlyCapUsd, dailyCapUsd }] of Object.entries(config[setting])) {
      if (value === EACH) continue
      const spent = await spentOn(dimension, value)
      const of = `${setting}.${value}`
      if (monthlyCapUsd !== undefined) made.push(suggestMonthly({ cap: `${of}.monthlyCapUsd`, current: monthlyCapUsd, ...spent }))
      if (dailyCapUsd !== undefined) made.push(suggestDaily({ cap: `${of}.dailyCapUsd`, current: dailyCapUsd, ...spent }))
    }
  }
  const [{ recommendation, rationale }] = made
  return { lookbackDays, spendDays: days.length, recommendation, rationale, suggestions: made }
}

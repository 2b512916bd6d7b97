import type { CallContext, Resolved } from '@gateway/sdk'
import { tightest } from '../rules/caps.ts'
import { EACH } from '../rules/scope.ts'
import { suggestDaily, suggestMonthly } from '../rules/suggest.ts'
import type { Suggestion } from '../schema.ts'
import { planOf, planUses } from './plan-of.ts'
import { type SpendDays, spendDaysUses, spentOn, spentOnKey } from './spend-days.ts'

export const suggestionsUses = { ...spendDaysUses, ...planUses }
type Refs = Resolved<typeof suggestionsUses>

/**
 * Suggests caps from the sums of the last days, today included. A mean is of the days since the first spend. Of several caps of all
 * spending, the tightest counts. Nothing is changed.
 */
export async function suggestions(refs: Refs, lookbackDays: number, ctx: CallContext) {
  const { config } = refs
  const total = await spentOn(refs, { dimension: 'total', value: '' }, lookbackDays, ctx)
  const scope = { tenantId: ctx.tenantId, plan: await planOf(refs, ctx.tenantId) }
  const { monthly, daily } = tightest(config, ctx.now(), scope)
  const made: [Suggestion, ...Suggestion[]] = [
    suggestMonthly({ cap: monthly?.name ?? 'monthlyCapUsd', current: monthly?.capUsd, ...total }),
    suggestDaily({ cap: daily?.name ?? 'dailyCapUsd', current: daily?.capUsd, ...total }),
  ]
  for (const [channel, { monthlyCapUsd }] of Object.entries(config.channels)) {
    const spent = await spentOn(refs, { dimension: 'channel', value: channel }, lookbackDays, ctx)
    made.push(suggestMonthly({ cap: `channels.${channel}.monthlyCapUsd`, current: monthlyCapUsd, ...spent }))
  }
  for (const [setting, spentBy] of named(refs, lookbackDays, ctx)) {
    for (const [value, { monthlyCapUsd, dailyCapUsd }] of Object.entries(config[setting])) {
      if (value === EACH) continue
      const spent = await spentBy(value)
      const of = `${setting}.${value}`
      if (monthlyCapUsd !== undefined) made.push(suggestMonthly({ cap: `${of}.monthlyCapUsd`, current: monthlyCapUsd, ...spent }))
      if (dailyCapUsd !== undefined) made.push(suggestDaily({ cap: `${of}.dailyCapUsd`, current: dailyCapUsd, ...spent }))
    }
  }
  const [{ recommendation, rationale }] = made
  return { lookbackDays, spendDays: total.days.length, recommendation, rationale, suggestions: made }
}

type Named = readonly ['keys' | 'agents' | 'tasks' | 'swarms' | 'models', (value: string) => Promise<SpendDays>]

/** Settings with caps by name, and where the spending of a name is looked up. */
function named(refs: Refs, lookbackDays: number, ctx: CallContext): readonly Named[] {
  const by =
    (dimension: 'agent' | 'task' | 'swarm' | 'model') =>
    (value: string): Promise<SpendDays> =>
      spentOn(refs, { dimension, value }, lookbackDays, ctx)
  return [
    ['keys', (label) => spentOnKey(refs, label, lookbackDays, ctx)],
    ['agents', by('agent')],
    ['tasks', by('task')],
    ['swarms', by('swarm')],
    ['models', by('model')],
  ]
}

import type { Suggestion } from '../schema.ts'

/** Fewer days say nothing about the next month. */
const MIN_SPEND_DAYS = 7
const DAYS_A_MONTH = 30
/** Margin above the usual spending. */
const MONTHLY_ROOM = 1.2
const DAILY_ROOM = 1.25
/** A cap within these bounds of the suggestion is left unchanged. */
const [TOO_LOW, TOO_HIGH] = [1, 2]

/** Spending of each day that had any, in USD. */
type DailySpend = readonly number[]

const sum = (days: DailySpend): number => days.reduce((all, one) => all + one, 0)

/** Nearest rank. */
function percentile(days: DailySpend, share: number): number {
  const sorted = [...days].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}

/** Rounds up to two significant digits: a cap is a round figure, and never below its basis. */
export function roundUp(usd: number): number {
  if (usd <= 0.01) return 0.01
  const unit = 10 ** (Math.floor(Math.log10(usd)) - 1)
  return Number((Math.ceil(usd / unit - 1e-9) * unit).toPrecision(2))
}

interface Asked {
  readonly cap: string
  readonly current: number | undefined
  readonly days: DailySpend
  /** The days that the mean is of: those looked at, from the first spend on. */
  readonly lookbackDays: number
}

/** Suggests a cap of a month: the mean of all days since the first spend, those without spend included, for thirty days. */
export function suggestMonthly({ lookbackDays, ...asked }: Asked): Suggestion {
  const expected = (sum(asked.days) / lookbackDays) * DAYS_A_MONTH
  return judge(asked, roundUp(expected * MONTHLY_ROOM), `${money(expected)} USD are to be expected in ${DAYS_A_MONTH} days`)
}

/** Daily cap: the amount that nineteen of twenty days with spending stay below. */
export function suggestDaily(asked: Asked): Suggestion {
  const high = percentile(asked.days, 0.95)
  return judge(asked, roundUp(high * DAILY_ROOM), `19 of 20 days with spend cost at most ${money(high)} USD`)
}

function judge({ cap, current, days }: Omit<Asked, 'lookbackDays'>, suggestedUsd: number, because: string): Suggestion {
  const currentUsd = current ?? null
  if (days.length < MIN_SPEND_DAYS) {
    const rationale = `There is spend on ${days.length} ${days.length === 1 ? 'day' : 'days'}; ${MIN_SPEND_DAYS} are needed to suggest a cap.`
    return { cap, currentUsd, suggestedUsd: null, recommendation: 'insufficient_data', rationale }
  }
  const suggested = { cap, currentUsd, suggestedUsd }
  if (current === undefined) {
    return {
      ...suggested,
      recommendation: 'decrease',
      rationale: `No cap is set, and ${because}: ${suggestedUsd} USD would leave room and set a bound.`,
    }
  }
  if (current < suggestedUsd * TOO_LOW) {
    return { ...suggested, recommendation: 'increase', rationale: `${because}, for which a cap of ${current} USD leaves little room.` }
  }
  if (current > suggestedUsd * TOO_HIGH) {
    return { ...suggested, recommendation: 'decrease', rationale: `${because}; a cap of ${current} USD would notice a runaway late.` }
  }
  return { ...suggested, recommendation: 'keep', rationale: `${because}, and the cap of ${current} USD leaves room for it.` }
}

const money = (usd: number): string => usd.toFixed(2)

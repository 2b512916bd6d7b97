import type { BudgetState } from '../api.ts'

/**
 * Reason why nothing may be dispatched, or `undefined`. Any exhausted budget is enough; so is a daily cap that spending has
 * reached.
 */
export function refusalOf(states: readonly BudgetState[], dailySpendCapUsd: number | undefined): string | undefined {
  const exhausted = states.find((state) => state.exhausted !== undefined)?.exhausted
  if (exhausted !== undefined) return exhausted
  const spent = spentToday(states)
  if (dailySpendCapUsd === undefined || spent < dailySpendCapUsd) return undefined
  return `Today’s spend of ${spent} USD has met the cap of ${dailySpendCapUsd} USD.`
}

function spentToday(states: readonly BudgetState[]): number {
  return states.reduce((sum, { spentTodayUsd }) => sum + spentTodayUsd, 0)
}

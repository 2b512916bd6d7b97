import type { Call, Model } from '../checker.ts'

export interface BudgetCall extends Call<BudgetAnswer> {
  readonly key: string
  readonly request: { readonly op: 'spend'; readonly tokens: number } | { readonly op: 'read' }
}
export interface BudgetAnswer {
  readonly spent?: number
  readonly isPaused?: boolean
}

/** A counter that everything spent is added to, and a stop that holds exactly when the budget is met. The state is what was spent. */
export function budgetModel(budget: number): Model<number, BudgetCall> {
  return {
    initial: 0,
    onlyReads: ({ request }) => request.op === 'read',
    execute(spent, { request, answer }) {
      if (request.op === 'spend') return [spent + request.tokens]
      return answer === undefined || (answer.spent === spent && answer.isPaused === spent >= budget) ? [spent] : []
    },
  }
}

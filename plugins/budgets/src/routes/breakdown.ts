import { closed, defineRoute, Type } from '@gateway/sdk'
import { breakdown, breakdownUses } from '../operations/breakdown.ts'
import { BudgetBreakdown, periodFields } from '../schema.ts'

export const breakdownRoute = defineRoute({
  name: 'budgets.breakdown',
  description: 'Split the model spend of a period by provider, model, channel and member. Returns the parts.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/budgets/breakdown',
  credential: 'admin',
  input: Type.Object(periodFields, closed),
  output: BudgetBreakdown,
  uses: breakdownUses,
  handle: (asked, refs, ctx) => breakdown(refs, asked, ctx),
})

import { closed, defineRoute, Type } from '@gateway/sdk'
import { status, statusUses } from '../operations/status.ts'
import { BudgetStatus } from '../schema.ts'

export const statusRoute = defineRoute({
  name: 'budgets.status',
  description: 'Show what was spent on models this month and today, against the caps. Returns the figures.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/budgets/status',
  credential: 'admin',
  input: Type.Object({}, closed),
  output: BudgetStatus,
  uses: statusUses,
  handle: (_, refs, ctx) => status(refs, ctx),
})

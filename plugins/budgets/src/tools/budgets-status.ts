import { closed, defineTool, Type } from '@gateway/sdk'
import { status, statusUses } from '../operations/status.ts'
import { BudgetStatus } from '../schema.ts'

export const budgetsStatus = defineTool({
  name: 'budgets_status',
  description: 'Show what was spent on models this month and today, against the caps. Returns the figures.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: BudgetStatus,
  uses: statusUses,
  handle: (_, refs, ctx) => status(refs, ctx),
})

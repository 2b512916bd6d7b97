import { closed, defineTool, Type } from '@gateway/sdk'
import { breakdown, breakdownUses } from '../operations/breakdown.ts'
import { BudgetBreakdown, periodFields } from '../schema.ts'

export const budgetsBreakdown = defineTool({
  name: 'budgets_breakdown',
  description: 'Split the model spend of a period by provider, model, channel, member, agent, task and swarm. Returns the parts.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(periodFields, closed),
  output: BudgetBreakdown,
  uses: breakdownUses,
  handle: (asked, refs, ctx) => breakdown(refs, asked, ctx),
})

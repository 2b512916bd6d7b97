import { closed, defineTool, Type } from '@gateway/sdk'
import { suggestions, suggestionsUses } from '../operations/suggestions.ts'
import { recommendation, Suggestion } from '../schema.ts'

export const budgetsSuggestions = defineTool({
  name: 'budgets_suggestions',
  description: 'Suggest spending caps from past spend, with reasons. Returns suggestions; applies nothing.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    {
      lookbackDays: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 365, default: 30, description: 'Number of days of spend to examine, up to today.' }),
      ),
    },
    closed,
  ),
  output: Type.Object(
    {
      lookbackDays: Type.Integer(),
      spendDays: Type.Integer({ description: 'Days with spend; 7 are needed.' }),
      recommendation,
      rationale: Type.String(),
      suggestions: Type.Array(Suggestion),
    },
    closed,
  ),
  uses: suggestionsUses,
  handle: ({ lookbackDays = 30 }, refs, ctx) => suggestions(refs, lookbackDays, ctx),
})

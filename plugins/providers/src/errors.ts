import { defineError, Type } from '@gateway/sdk'
import { PROVIDERS } from './schema.ts'

/** The provider understood the request and refuses it; a retry would end the same. */
export const ModelRefused = defineError('MODEL_REFUSED', {
  status: 502,
  description: 'The model’s provider refuses the request: a wrong key, an unknown model, a prompt that is too long. A retry will not help.',
  details: Type.Object({
    provider: Type.Enum(PROVIDERS),
    model: Type.String(),
    status: Type.Integer(),
    message: Type.String(),
    toolsOffered: Type.Optional(Type.Integer({ description: 'Number of tools in the request; some models accept none.' })),
  }),
  message: ({ message }) => message,
})

/** Refusal of a `spendGuard`. */
export const BudgetExceeded = defineError('BUDGET_EXCEEDED', {
  status: 402,
  description: 'The budget for models is used up: `details` names the cap and when it resets. Raise the cap, or wait.',
  details: Type.Object({
    cap: Type.String(),
    capUsd: Type.Number(),
    spentUsd: Type.Number(),
    heldUsd: Type.Number(),
    resetsAt: Type.String(),
  }),
  message: ({ cap, capUsd, spentUsd, heldUsd, resetsAt }) =>
    `The cap budgets.${cap} of ${capUsd} USD is reached: ${spentUsd} USD are spent${heldUsd > 0 ? ` and ${heldUsd} USD held for calls under way` : ''}. It resets at ${resetsAt}.`,
})

/** Errors that a tool which asks a model lists. */
export const modelErrors = [ModelRefused, BudgetExceeded] as const

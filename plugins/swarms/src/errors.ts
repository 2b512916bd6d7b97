import { defineError, Type } from '@gateway/sdk'

export const ConsentNeeded = defineError('CONSENT_NEEDED', {
  status: 409,
  description: 'The repo is excluded from autonomous work; plan for it with consent true.',
  details: Type.Object({ field: Type.String(), repo: Type.String() }),
  message: ({ repo }) => `Repo ${repo} is excluded from autonomous work; pass consent: true to plan for it anyway.`,
})

export const SwarmOverBudget = defineError('SWARM_OVER_BUDGET', {
  status: 409,
  description: 'The swarm has used up its token budget: raise it with swarm_update_budget, then approve.',
  details: Type.Object({ swarmId: Type.String(), tokenBudget: Type.Integer(), tokensSpent: Type.Integer() }),
  message: ({ swarmId, tokenBudget, tokensSpent }) =>
    `Swarm ${swarmId} has spent ${tokensSpent} of ${tokenBudget} output tokens; raise the budget with swarm_update_budget, then approve it.`,
})

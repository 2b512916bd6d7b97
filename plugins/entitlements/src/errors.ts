import { defineError, Type } from '@gateway/sdk'

export const NotEntitled = defineError('NOT_ENTITLED', {
  status: 403,
  description: 'The tenant’s plan does not include this feature. `details` names the plans that do.',
  details: Type.Object({ feature: Type.String(), plan: Type.String(), plans: Type.Array(Type.String()) }),
  message: ({ feature, plan, plans }) =>
    `The plan ${plan} does not have ${feature}; ${plans.length === 0 ? 'no plan does' : `${plans.join(', ')} ${plans.length === 1 ? 'does' : 'do'}`}.`,
})

/** Ways to stay within a limit, besides another plan. */
const WAYS: Readonly<Record<string, string>> = {
  repos: 'Remove a repo from the roster',
  seats: 'Revoke a key or remove a member',
  offHoursMinutes: 'Let the work run from 9:00 to 18:00 of a weekday in Sydney',
  generationCredits: 'Wait for the reset',
}

export const PlanLimitReached = defineError('PLAN_LIMIT_REACHED', {
  status: 403,
  description:
    'The tenant has reached the limit of its plan. Free some, wait for the next month if it is counted by month, or change the plan.',
  details: Type.Object({
    limit: Type.String(),
    plan: Type.String(),
    allowed: Type.Number(),
    used: Type.Number(),
    wanted: Type.Number(),
    resetsAt: Type.Optional(Type.String()),
  }),
  message({ limit, plan, allowed, used, wanted, resetsAt }) {
    // A plan without minutes gets none in a new month either.
    const reset = resetsAt === undefined || allowed === 0 ? '' : ` It resets at ${resetsAt}.`
    const way = allowed === 0 && limit === 'generationCredits' ? 'Change the plan' : `${WAYS[limit] ?? 'Free some'}, or change the plan`
    return `The plan ${plan} has ${allowed} ${limit}; ${used} are used, and ${wanted} more are wanted.${reset} ${way}.`
  },
})

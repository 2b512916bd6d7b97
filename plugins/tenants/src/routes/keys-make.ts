import { entitlements, PlanLimitReached } from '@gateway/plugin-entitlements/api'
import { closed, defineRoute, optional, Type, tenantAdmin } from '@gateway/sdk'
import { draftOf } from '../rules/draft.ts'
import { requireRank } from '../rules/giving.ts'
import { IssuedResult, keyDraft } from '../schema.ts'

export const makeOwnKey = defineRoute({
  name: 'keys.make',
  description:
    'Create an API key of your tenant, with at most your role: one for each agent, up to the seats of the plan. Returns its id and the key, which is shown only once.',
  capability: 'members',
  effect: 'write',
  rest: 'POST /api/keys',
  status: 201,
  input: Type.Object(keyDraft, closed),
  output: IssuedResult,
  errors: [PlanLimitReached],
  uses: { tenants: tenantAdmin, plan: optional(entitlements) },
  async handle(given, { tenants, plan }, ctx) {
    const draft = draftOf(given)
    requireRank(ctx.principal, draft.role, 'make')
    const seats = await plan?.bound('seats')
    if (seats && seats.allowed !== null) seats.check((await tenants.listKeys(ctx.tenantId)).length)
    const { keyId, apiKey } = await tenants.issueKey(ctx.tenantId, draft)
    ctx.audit('key.made', { keyId, label: draft.label, role: draft.role })
    return { keyId, apiKey }
  },
})

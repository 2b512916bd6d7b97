import { entitlements, PlanLimitReached } from '@gateway/plugin-entitlements/api'
import { closed, defineRoute, optional, Type, tenantAdmin } from '@gateway/sdk'
import { Turns } from '@gateway/sdk/bounds'
import { draftOf } from '../rules/draft.ts'
import { requireRank } from '../rules/giving.ts'
import { IssuedResult, keyDraft } from '../schema.ts'

const turns = new Turns()

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
    const draft = { ...draftOf(given), madeBy: ctx.principal.id }
    requireRank(ctx.principal, draft.role, 'make')
    const seats = await plan?.bound('seats')
    const liveKeys = async () => (await tenants.listKeys(ctx.tenantId)).length
    const issue = async () => {
      if (!seats || seats.allowed === null) return tenants.issueKey(ctx.tenantId, draft)
      seats.check(await liveKeys())
      const issued = await tenants.issueKey(ctx.tenantId, draft)
      // Another node may have issued the last key of the plan meanwhile.
      const others = (await liveKeys()) - 1
      if (others >= seats.allowed) {
        await tenants.revokeKey(ctx.tenantId, issued.keyId)
        seats.check(others)
      }
      return issued
    }
    const { keyId, apiKey } = await turns.run(ctx.tenantId, issue)
    ctx.audit('key.made', { keyId, label: draft.label, role: draft.role })
    return { keyId, apiKey }
  },
})

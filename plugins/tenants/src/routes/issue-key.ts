import { closed, defineRoute, Type, tenantAdmin } from '@gateway/sdk'
import { draftOf } from '../rules/draft.ts'
import { IssuedResult, keyDraft, operatorRoute, targetTenantId } from '../schema.ts'

export const issueKey = defineRoute({
  ...operatorRoute,
  credential: 'admin-and-local',
  name: 'tenants.issue-key',
  description: 'Create another API key of a role. Returns its id and the key, which is shown only once.',
  effect: 'write',
  rest: 'POST /api/tenants/:targetTenantId/keys',
  status: 201,
  input: Type.Object({ targetTenantId, ...keyDraft }, closed),
  output: IssuedResult,
  uses: { tenants: tenantAdmin },
  async handle({ targetTenantId, ...draft }, { tenants }) {
    const { keyId, apiKey } = await tenants.issueKey(targetTenantId, draftOf(draft))
    return { keyId, apiKey }
  },
})

import { defineRoute, Type, tenantAdmin } from '@gateway/sdk'
import { closed, Environment, operatorRoute, Role, targetTenantId } from '../schema.ts'

export const issueKey = defineRoute({
  ...operatorRoute,
  credential: 'admin-and-local',
  name: 'tenants.issue-key',
  description: 'Issue a further API key of a role. Returns the key, which is shown this once.',
  effect: 'write',
  rest: 'POST /api/tenants/:targetTenantId/keys',
  status: 201,
  input: Type.Object(
    {
      targetTenantId,
      role: Type.Optional(Type.Enum(Role.enum, { default: 'member' })),
      environment: Type.Optional(Type.Enum(Environment.enum, { default: 'live' })),
    },
    closed,
  ),
  output: Type.Object({ apiKey: Type.String() }, closed),
  uses: { tenants: tenantAdmin },
  async handle({ targetTenantId, role = 'member', environment = 'live' }, { tenants }) {
    const { apiKey } = await tenants.issueKey(targetTenantId, { role, environment })
    return { apiKey }
  },
})

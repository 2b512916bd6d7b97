import { closed, defineRoute, plainLineText, Type, tenantAdmin, tenantSchema } from '@gateway/sdk'
import { config } from '../config.ts'
import { operatorRoute, Plan } from '../schema.ts'

export const createTenant = defineRoute({
  ...operatorRoute,
  credential: 'admin-and-local',
  name: 'tenants.create',
  description: 'Create a tenant with its first API key. Returns the tenant and the key, which is shown only once.',
  effect: 'write',
  rest: 'POST /api/tenants',
  status: 201,
  input: Type.Object(
    {
      name: plainLineText(200),
      plan: Type.Optional(Type.Enum(Plan.enum, { default: 'free' })),
      tenantId: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Default: a new id.' })),
    },
    closed,
  ),
  output: Type.Object({ tenant: tenantSchema, apiKey: Type.String() }, closed),
  uses: { tenants: tenantAdmin, config },
  async handle({ name, plan = 'free', tenantId }, { tenants, config }) {
    const tenant = await tenants.create({ name: name.trim(), plan, tenantId })
    const { apiKey } = await tenants.issueKey(tenant.tenantId, { role: config.firstKeyRole, environment: 'live' })
    return { tenant, apiKey }
  },
})

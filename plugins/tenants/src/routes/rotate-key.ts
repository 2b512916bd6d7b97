import { defineRoute, Type, tenantAdmin } from '@gateway/sdk'
import { closed, Environment, operatorRoute, Role, targetTenantId } from '../schema.ts'

export const rotateKey = defineRoute({
  ...operatorRoute,
  credential: 'admin-and-local',
  name: 'tenants.rotate-key',
  description:
    'Mint a new API key; the tenant’s keys of the same environment and role stay valid for the grace window. Returns the key, which is shown this once, and the window’s end.',
  effect: 'write',
  rest: 'POST /api/tenants/:targetTenantId/rotate-key',
  input: Type.Object(
    {
      targetTenantId,
      environment: Type.Optional(Type.Enum(Environment.enum, { default: 'live' })),
      role: Type.Optional(
        Type.Enum(Role.enum, {
          description: 'Default: the highest that a key of the environment has, member where there is none.',
        }),
      ),
      graceMinutes: Type.Optional(Type.Number({ minimum: 0, maximum: 43_200, description: 'Default: GATEWAY_ROTATION_GRACE_MINUTES.' })),
    },
    closed,
  ),
  output: Type.Object({ apiKey: Type.String(), graceUntil: Type.String() }, closed),
  uses: { tenants: tenantAdmin },
  async handle({ targetTenantId, environment = 'live', role, graceMinutes }, { tenants }) {
    const { apiKey, graceUntil } = await tenants.rotateKey(targetTenantId, { environment, role, graceMinutes })
    return { apiKey, graceUntil }
  },
})

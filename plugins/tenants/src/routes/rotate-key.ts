import { closed, defineRoute, madeWithKeys, Type, tenantAdmin } from '@gateway/sdk'
import { Environment, operatorRoute, Role, targetTenantId } from '../schema.ts'

export const rotateKey = defineRoute({
  ...operatorRoute,
  credential: 'admin-and-local',
  name: 'tenants.rotate-key',
  description:
    'Create a new API key; the tenant’s previous keys of the same environment and role stay valid for the grace period. Returns the key, which is shown only once, the end of the period, and the objects of the old keys that continue under the new one.',
  effect: 'write',
  rest: 'POST /api/tenants/:targetTenantId/rotate-key',
  input: Type.Object(
    {
      targetTenantId,
      environment: Type.Optional(Type.Enum(Environment.enum, { default: 'live' })),
      role: Type.Optional(
        Type.Enum(Role.enum, {
          description: 'Default: the highest role that has a key of the environment, or member.',
        }),
      ),
      graceMinutes: Type.Optional(Type.Number({ minimum: 0, maximum: 43_200, description: 'Default: GATEWAY_ROTATION_GRACE_MINUTES.' })),
    },
    closed,
  ),
  output: Type.Object(
    {
      keyId: Type.String(),
      apiKey: Type.String(),
      graceUntil: Type.String(),
      goesOn: Type.Array(Type.Object({ kind: Type.String(), id: Type.String(), name: Type.String() }, closed)),
    },
    closed,
  ),
  uses: { tenants: tenantAdmin, madeWithKeys },
  async handle({ targetTenantId, environment = 'live', role, graceMinutes }, { tenants, madeWithKeys }) {
    const { apiKey, keyId, graceUntil, replaced } = await tenants.rotateKey(targetTenantId, { environment, role, graceMinutes })
    const from = replaced.map((id) => `key:${id}`)
    const goesOn = await Promise.all(madeWithKeys.map((family) => family.handOver(targetTenantId, from, `key:${keyId}`)))
    return { keyId, apiKey, graceUntil, goesOn: goesOn.flat() }
  },
})

import { closed, keyEnvironments, keySchema, plainLineText, Type, tenantAdmin, tenantPlans, tenantRoles, tenantSchema } from '@gateway/sdk'

export const targetTenantId = Type.String({ minLength: 1, maxLength: 64, description: 'Tenant to act on.' })
/**
 * Tenant whose trail an operator reads. It may be removed, so it is not looked up; a name that cannot be a tenant's id has no
 * trail.
 */
export const auditedTenant = Type.Optional(
  Type.String({
    pattern: '^[a-z0-9_-][a-z0-9._-]{0,63}$',
    rule: { must: 'be the id of a tenant: 1 to 64 small letters, digits, ., _ and -, the first not a .' },
    description: 'Tenant of the trail, for the operator. Default: your own.',
  }),
)
export const Target = Type.Object({ targetTenantId }, closed)
export const Plan = Type.Enum([...tenantPlans])
export const Role = Type.Enum([...tenantRoles])
export const Environment = Type.Enum([...keyEnvironments])
export const keyId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Id of the key: its part between gw_live_ and the next _.',
})
export const keyDraft = {
  label: Type.Optional(plainLineText(100, { description: 'Agent or machine that uses the key. Audit, logs and lists show it.' })),
  role: Type.Optional(Type.Enum(Role.enum, { default: 'member' })),
  environment: Type.Optional(Type.Enum(Environment.enum, { default: 'live' })),
  expiresAt: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description:
        'ISO 8601 with a zone, such as 2026-12-31T00:00:00Z: when the key expires. Default: never; it ends when it is revoked or rotated.',
    }),
  ),
} as const
export const IssuedResult = Type.Object({ keyId: Type.String(), apiKey: Type.String() }, closed)
export const KeysResult = Type.Object({ count: Type.Integer(), keys: Type.Array(keySchema) }, closed)
export const KeyResult = Type.Object({ key: keySchema }, closed)
export const TenantResult = Type.Object({ tenant: tenantSchema }, closed)

export const operatorRoute = { capability: 'operator', credential: 'admin' } as const

export const oneTenant = { ...operatorRoute, input: Target, output: TenantResult, uses: { tenants: tenantAdmin } } as const

import { keyEnvironments, Type, tenantAdmin, tenantPlans, tenantRoles, tenantSchema } from '@gateway/sdk'

export const closed = { additionalProperties: false } as const

export const targetTenantId = Type.String({ minLength: 1, maxLength: 64, description: 'The tenant to act on.' })
export const Target = Type.Object({ targetTenantId }, closed)
export const Plan = Type.Enum([...tenantPlans])
export const Role = Type.Enum([...tenantRoles])
export const Environment = Type.Enum([...keyEnvironments])
export const TenantResult = Type.Object({ tenant: tenantSchema }, closed)

/** What every route of the operator has in common. */
export const operatorRoute = { capability: 'operator', credential: 'admin' } as const

/** What a route that answers with one tenant has in common with the others. */
export const oneTenant = { ...operatorRoute, input: Target, output: TenantResult, uses: { tenants: tenantAdmin } } as const

import { defineCollection, type Infer, Type } from '@gateway/sdk'

/**
 * The kernel’s own records. They live under a tenant id that no tenant can have, in collections no plugin can list
 * (ids that begin with `gateway.` are the kernel’s).
 */
export const KERNEL_TENANT = '_gateway'

const closed = { additionalProperties: false } as const
const Time = Type.String()

export const tenantSchema = Type.Object(
  {
    tenantId: Type.String(),
    name: Type.String(),
    plan: Type.Enum(['free', 'solo', 'team', 'scale']),
    status: Type.Enum(['active', 'suspended', 'deleted']),
    legalHold: Type.Boolean(),
    createdAt: Time,
    updatedAt: Time,
    suspendedAt: Type.Optional(Time),
    suspendReason: Type.Optional(Type.String()),
    /** Asked for; worked off by the erasure sweep after its grace window. */
    erasureRequestedAt: Type.Optional(Time),
    /** Asked for; worked off by the cancellation purge after its grace window. */
    cancelledAt: Type.Optional(Time),
  },
  closed,
)
export type Tenant = Infer<typeof tenantSchema>

export const tenants = defineCollection('gateway.tenants', { schema: tenantSchema, key: 'tenantId' })

export const apiKeySchema = Type.Object(
  {
    keyId: Type.String(),
    tenantId: Type.String(),
    environment: Type.Enum(['live', 'test']),
    role: Type.Enum(['viewer', 'member', 'admin', 'owner']),
    /** Keyed hash of the whole key. */
    hash: Type.String(),
    createdAt: Time,
    /** Set when the key was rotated away: valid until then. */
    validUntil: Type.Optional(Time),
  },
  closed,
)
export type ApiKey = Infer<typeof apiKeySchema>

export const apiKeys = defineCollection('gateway.api-keys', {
  schema: apiKeySchema,
  key: 'keyId',
  indexes: [{ keys: { tenantId: 1, createdAt: 1 } }, { keys: { validUntil: 1 }, present: 'validUntil', expireAfterSeconds: 86_400 }],
})

export const kernelCollections = [tenants, apiKeys] as const

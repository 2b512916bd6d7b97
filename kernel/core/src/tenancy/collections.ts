import { closed, defineCollection, type Infer, Type, tenantSchema } from '@gateway/sdk'

export const tenants = defineCollection('gateway.tenants', { schema: tenantSchema, key: 'tenantId' })

const apiKeySchema = Type.Object(
  {
    keyId: Type.String(),
    tenantId: Type.String(),
    environment: Type.Enum(['live', 'test']),
    role: Type.Enum(['viewer', 'member', 'admin', 'owner']),
    /** Keyed hash of the whole key. */
    hash: Type.String(),
    createdAt: Type.String(),
    /** When it ends: as it was made, or because it was rotated away. */
    validUntil: Type.Optional(Type.String()),
    /** As it was made; gone once it was rotated away. */
    expiresAt: Type.Optional(Type.String()),
    label: Type.Optional(Type.String()),
    /** To the minute. */
    lastUsedAt: Type.Optional(Type.String()),
  },
  closed,
)
export type ApiKey = Infer<typeof apiKeySchema>

export const apiKeys = defineCollection('gateway.api-keys', {
  schema: apiKeySchema,
  key: 'keyId',
  indexes: [{ keys: { tenantId: 1, createdAt: 1 } }, { keys: { validUntil: 1 }, present: 'validUntil', expireAfterSeconds: 86_400 }],
})

/** What the hash of a known text is with the key that this store’s hashes were made with. */
export const hashKeys = defineCollection('gateway.hash-key', {
  schema: Type.Object({ id: Type.String(), check: Type.String() }, closed),
  key: 'id',
})

export const kernelCollections = [tenants, apiKeys, hashKeys] as const

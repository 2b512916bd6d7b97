import { closed, defineCollection, type Infer, Type } from '@gateway/sdk'

const apiKeySchema = Type.Object(
  {
    keyId: Type.String(),
    tenantId: Type.String(),
    environment: Type.Enum(['live', 'test']),
    role: Type.Enum(['viewer', 'member', 'admin', 'owner']),
    /** Keyed hash of the whole key. */
    hash: Type.String(),
    createdAt: Type.String(),
    /** End of validity: as created, or set by a rotation. */
    validUntil: Type.Optional(Type.String()),
    /** End of validity as created; removed by a rotation. */
    expiresAt: Type.Optional(Type.String()),
    label: Type.Optional(Type.String()),
    madeBy: Type.Optional(Type.String()),
    /** Precise to the minute. */
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

/** Hash of a known text under the key that made this store's hashes. */
export const hashKeys = defineCollection('gateway.hash-key', {
  schema: Type.Object({ id: Type.String(), check: Type.String() }, closed),
  key: 'id',
})

import { closed, type Infer, Type } from '@gateway/sdk'

export const LEVELS = ['read', 'read-write'] as const
export type Level = (typeof LEVELS)[number]

export const tenantIdSchema = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
  rule: { must: 'have 1 to 64 letters, digits, ., _ and -, the first a letter or digit' },
})

/** The tenant of a new grant. A grant of an earlier version may name a tenant in capital letters, which no tenant has. */
export const granteeSchema = Type.String({
  pattern: '^[a-z0-9][a-z0-9._-]{0,63}$',
  rule: { must: 'have 1 to 64 small letters, digits, ., _ and -, the first a letter or digit' },
})

export const Grant = Type.Object(
  {
    grantId: Type.String({ description: 'Made of the namespace and the grantee.' }),
    namespace: Type.String(),
    granteeTenantId: Type.String(),
    level: Type.Enum(LEVELS),
    grantedAt: Type.String({ description: 'Time of the first grant. ISO 8601.' }),
    updatedAt: Type.String(),
    revokedAt: Type.Optional(Type.String({ description: 'Absent while the grant is active.' })),
  },
  closed,
)
export type Grant = Infer<typeof Grant>

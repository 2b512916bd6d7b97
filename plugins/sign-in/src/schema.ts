import { closed, type Infer, Type } from '@gateway/sdk'

const Role = Type.Enum(['viewer', 'member', 'admin', 'owner', 'operator'])
const Kind = Type.Enum(['operator', 'user', 'api-key'])

/** The signed-in caller and its rights. */
const caller = {
  callerId: Type.String(),
  kind: Kind,
  role: Role,
  label: Type.Optional(Type.String()),
  /** The API key that began it, and with which it ends. */
  keyId: Type.Optional(Type.String()),
} as const

/** A session as stored. Times are ISO 8601. */
export const StoredSession = Type.Object(
  {
    sessionId: Type.String(),
    /** SHA-256 of the secret in the cookie, which is random. */
    hash: Type.String(),
    ...caller,
    /** The browser's own name for itself. */
    client: Type.Optional(Type.String()),
    createdAt: Type.String(),
    expiresAt: Type.String(),
    /** Until then it may use the operator's routes. */
    liftedUntil: Type.Optional(Type.String()),
    /** The operator who looks at the tenant. */
    lookedBy: Type.Optional(Type.String()),
  },
  closed,
)
export type StoredSession = Infer<typeof StoredSession>
export type SignedInAs = Pick<StoredSession, 'callerId' | 'kind' | 'role' | 'label' | 'keyId'>

/** A code that a browser exchanges once for a session. */
export const StoredCode = Type.Object({ hash: Type.String(), ...caller, createdAt: Type.String(), expiresAt: Type.String() }, closed)
export type StoredCode = Infer<typeof StoredCode>

/** A session as shown. */
export const Session = Type.Object(
  {
    sessionId: Type.String(),
    who: Type.String(),
    label: Type.Optional(Type.String()),
    role: Role,
    tenantId: Type.String(),
    createdAt: Type.String(),
    expiresAt: Type.String(),
    client: Type.Optional(Type.String()),
    current: Type.Boolean({ description: 'The caller’s own session.' }),
    liftedUntil: Type.Optional(Type.String({ description: 'It may use the operator’s routes until then.' })),
    lookedBy: Type.Optional(Type.String({ description: 'Operator who views the tenant.' })),
  },
  closed,
)
export type Session = Infer<typeof Session>

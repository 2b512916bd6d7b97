import { closed, type Infer, Type, tenantRoles } from '@gateway/sdk'

const Role = Type.Enum(['viewer', 'member', 'admin', 'owner', 'operator'])
const Kind = Type.Enum(['operator', 'user', 'api-key'])

const caller = {
  callerId: Type.String(),
  kind: Kind,
  role: Role,
  label: Type.Optional(Type.String()),
  /** The API key that began it, and with which it ends. */
  keyId: Type.Optional(Type.String()),
  /** The member who signed in through a provider. The session has the member's role and ends with the membership. */
  memberId: Type.Optional(Type.String()),
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
export type SignedInAs = Pick<StoredSession, 'callerId' | 'kind' | 'role' | 'label' | 'keyId' | 'memberId'>

/** A code that a browser exchanges once for a session. */
export const StoredCode = Type.Object({ hash: Type.String(), ...caller, createdAt: Type.String(), expiresAt: Type.String() }, closed)
export type StoredCode = Infer<typeof StoredCode>

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

const TenantRole = Type.Enum(tenantRoles)

/** A person who signs in through a provider, in one tenant. Times are ISO 8601. */
export const StoredMember = Type.Object(
  {
    /** Derived from the provider's issuer and the subject there. */
    memberId: Type.String(),
    provider: Type.String(),
    name: Type.Optional(Type.String()),
    /** Present only if the provider has verified it. */
    email: Type.Optional(Type.String()),
    role: TenantRole,
    /** `rule`: each sign-in decides the role by the operator's rules. */
    source: Type.Enum(['invitation', 'rule']),
    createdAt: Type.String(),
    signedInAt: Type.String(),
    /** Time when the role was set; members of earlier versions have none until it changes. */
    updatedAt: Type.Optional(Type.String()),
  },
  closed,
)
export type StoredMember = Infer<typeof StoredMember>

/** An identity assertion that was used, until it expires. */
export const StoredAssertion = Type.Object({ hash: Type.String(), expiresAt: Type.String() }, closed)
export type StoredAssertion = Infer<typeof StoredAssertion>

/** The tenants of a person, one document each, beyond all tenants: it has no name and no address. */
export const StoredIdentity = Type.Object(
  { id: Type.String(), memberId: Type.String(), tenantId: Type.String(), signedInAt: Type.String() },
  closed,
)
export type StoredIdentity = Infer<typeof StoredIdentity>

const invitation = {
  invitationId: Type.String(),
  role: TenantRole,
  email: Type.Optional(Type.String({ description: 'Only a person with this verified address can accept.' })),
  createdBy: Type.String(),
  createdAt: Type.String(),
  expiresAt: Type.String(),
} as const

/** An invitation as stored; accepting it removes it. */
export const StoredInvitation = Type.Object({ ...invitation, hash: Type.String(), madeBy: Type.Optional(Type.String()) }, closed)
export type StoredInvitation = Infer<typeof StoredInvitation>

export const Invitation = Type.Object(invitation, closed)

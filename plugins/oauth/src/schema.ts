import { closed, type Infer, Type } from '@gateway/sdk'

export const SCOPES = ['read', 'work', 'configure', 'members', 'billing'] as const
export type Scope = (typeof SCOPES)[number]
const Scopes = Type.Array(Type.Enum(SCOPES), { maxItems: SCOPES.length })

/** The person or key that consented, as the calls of the client are made. */
const consenter = {
  callerId: Type.String(),
  kind: Type.Enum(['user', 'api-key']),
  role: Type.Enum(['viewer', 'member', 'admin', 'owner']),
  label: Type.Optional(Type.String()),
  /** The API key with which the grant ends. */
  keyId: Type.Optional(Type.String()),
  /** The member, signed in through a provider, with whose membership the grant ends. */
  memberId: Type.Optional(Type.String()),
  /** The browser session with which the grant ends, if neither a key nor a member began it. */
  sessionId: Type.Optional(Type.String()),
} as const

const shared = { ...consenter, clientId: Type.String(), clientName: Type.String(), scopes: Scopes } as const

/** An authorization code, or the approval of a device. Times are ISO 8601. */
export const StoredCode = Type.Object(
  {
    /** SHA-256 of the code, which is random. */
    hash: Type.String(),
    ...shared,
    /** Absent for a device. */
    redirectUri: Type.Optional(Type.String()),
    challenge: Type.Optional(Type.String()),
    userCode: Type.Optional(Type.String()),
    createdAt: Type.String(),
    expiresAt: Type.String(),
    /** The grant that the code was redeemed for. A second use ends it. */
    grantId: Type.Optional(Type.String()),
  },
  closed,
)
export type StoredCode = Infer<typeof StoredCode>

const Access = Type.Object({ hash: Type.String(), scopes: Scopes, expiresAt: Type.String() }, closed)

export const StoredGrant = Type.Object(
  {
    grantId: Type.String(),
    ...shared,
    /** The latest access tokens, newest first. */
    access: Type.Array(Access),
    /** Hash of the part that all refresh tokens of the grant share: with it, an earlier token is known as a replay. */
    family: Type.Optional(Type.String()),
    /** Hash of the current refresh token. */
    refresh: Type.Optional(Type.String()),
    createdAt: Type.String(),
    usedAt: Type.String(),
    expiresAt: Type.String(),
  },
  closed,
)
export type StoredGrant = Infer<typeof StoredGrant>

/** A client that registered itself. */
export const StoredClient = Type.Object(
  {
    clientId: Type.String(),
    clientName: Type.String(),
    redirectUris: Type.Array(Type.String()),
    createdAt: Type.String(),
    expiresAt: Type.String(),
  },
  closed,
)
export type StoredClient = Infer<typeof StoredClient>

export const StoredDevice = Type.Object(
  {
    hash: Type.String(),
    userCode: Type.String(),
    clientId: Type.String(),
    clientName: Type.String(),
    scopes: Scopes,
    createdAt: Type.String(),
    expiresAt: Type.String(),
    polledAt: Type.Optional(Type.String()),
    /** The approval, or `denied`. */
    outcome: Type.Optional(Type.String()),
  },
  closed,
)
export type StoredDevice = Infer<typeof StoredDevice>

export const Grant = Type.Object(
  {
    grantId: Type.String(),
    client: Type.String(),
    clientId: Type.String(),
    who: Type.String(),
    role: Type.String(),
    scopes: Scopes,
    createdAt: Type.String(),
    usedAt: Type.String({ description: 'Time when its last token was issued.' }),
    expiresAt: Type.String(),
  },
  closed,
)
export type Grant = Infer<typeof Grant>

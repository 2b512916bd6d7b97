import { closed } from './objects.ts'
import { type Infer, Type } from './schema.ts'
import { defineService } from './service.ts'

/** The plans a tenant can be on. */
export const tenantPlans = ['free', 'solo', 'team', 'scale'] as const
/** What can become of a tenant. */
export const tenantStatuses = ['active', 'suspended', 'deleted'] as const
/** Roles a credential of a tenant can have; the machine roles are the gateway’s own. */
export const tenantRoles = ['viewer', 'member', 'admin', 'owner'] as const
/** The kinds of API keys. */
export const keyEnvironments = ['live', 'test'] as const
/** A role a tenant’s own caller can have. */
export type TenantRole = (typeof tenantRoles)[number]
/** A kind of API key. */
export type KeyEnvironment = (typeof keyEnvironments)[number]

/** The operator’s own tenant: whoever calls from this machine without a credential acts on it. */
export const LOCAL_TENANT = 'local'

const SYNTHETIC = 'synthetic.'
/**
 * Whether a tenant was made to try the gateway and belongs to nobody: no list, reach or figure has it. Its id says so, so that
 * whoever counts needs to ask nobody.
 */
export const isSynthetic = (tenantId: string): boolean => tenantId.startsWith(SYNTHETIC)
/** The id of the synthetic tenant of a name. */
export const syntheticTenant = (name: string): string => SYNTHETIC + name

/** A tenant as the operator sees it. Times are ISO 8601. */
export const tenantSchema = Type.Object(
  {
    tenantId: Type.String(),
    name: Type.String(),
    plan: Type.Enum(['free', 'solo', 'team', 'scale']),
    status: Type.Enum(['active', 'suspended', 'deleted']),
    legalHold: Type.Boolean(),
    createdAt: Type.String(),
    updatedAt: Type.String(),
    suspendedAt: Type.Optional(Type.String()),
    suspendReason: Type.Optional(Type.String()),
    /** Asked for; worked off by the erasure sweep after its grace window. */
    erasureRequestedAt: Type.Optional(Type.String()),
    /** Asked for; worked off by the cancellation purge after its grace window. */
    cancelledAt: Type.Optional(Type.String()),
    /** Since then nobody calls for it, and what it owned is removed. Its record stays as a tombstone, without its name. */
    deletedAt: Type.Optional(Type.String()),
  },
  closed,
)
/** A tenant as its record says. */
export type Tenant = Infer<typeof tenantSchema>

/** A new key in plain text: the only time it is ever seen. */
export interface IssuedKey {
  readonly apiKey: string
  readonly keyId: string
}

/** A key as its tenant sees it: never the key itself. Times are ISO 8601. */
export const keySchema = Type.Object(
  {
    keyId: Type.String(),
    label: Type.Optional(Type.String()),
    role: Type.Enum(tenantRoles),
    environment: Type.Enum(keyEnvironments),
    createdAt: Type.String(),
    lastUsedAt: Type.Optional(Type.String({ description: 'To the minute; absent when it was never used.' })),
    expiresAt: Type.Optional(Type.String({ description: 'When it ends, as it was made or because it was rotated.' })),
  },
  closed,
)
/** A key as its tenant sees it. */
export type TenantKey = Infer<typeof keySchema>

/** What a new key is to be. */
export interface KeyDraft {
  readonly role: TenantRole
  readonly environment: KeyEnvironment
  /** Whose it is: an agent, a machine, a person. */
  readonly label?: string | undefined
  /** ISO time. Default: it does not end. */
  readonly expiresAt?: string | undefined
}

/**
 * Tenant lifecycle and keys. It crosses tenants: a tool or route that uses it takes the capability `operator`.
 * Every method but `isHeld` throws NOT_FOUND for an unknown tenant, CONFLICT for a deleted one.
 */
export interface TenantAdmin {
  /**
   * Without an id one is made. CONFLICT when the id is taken, BAD_REQUEST when it is not `[a-z0-9][a-z0-9._-]*`, or is that of a
   * synthetic tenant and `synthetic` is not set.
   */
  create(tenant: { name: string; plan: Tenant['plan']; tenantId?: string | undefined; synthetic?: boolean }): Promise<Tenant>
  get(tenantId: string): Promise<Tenant>
  /** All but synthetic ones. */
  list(): Promise<readonly Tenant[]>
  /**
   * Whether the tenant is under legal hold, which every `defineRetention` respects. A ring goes on dropping its oldest. One without a
   * record was never put under it.
   */
  isHeld(tenantId: string): Promise<boolean>
  change(tenantId: string, change: { plan?: Tenant['plan'] | undefined; legalHold?: boolean | undefined }): Promise<Tenant>
  /** The tenant’s callers are refused from the next call on, its streams are ended. Idempotent. */
  suspend(tenantId: string, reason?: string): Promise<Tenant>
  /** Idempotent; clears a pending cancellation. */
  reactivate(tenantId: string): Promise<Tenant>
  requestErasure(tenantId: string): Promise<Tenant>
  cancel(tenantId: string): Promise<Tenant>
  /**
   * Deleted from now on, if what was asked for stands and was asked for before `before` (ISO time), and there is no legal hold: the
   * record becomes a tombstone. `undefined` when that is not so, also when somebody took it back a moment ago.
   */
  end(tenantId: string, asked: 'erasureRequestedAt' | 'cancelledAt', before: string): Promise<Tenant | undefined>
  /** BAD_REQUEST when it would have ended already, CONFLICT when the tenant has as many keys as one may have (1,000). */
  issueKey(tenantId: string, key: KeyDraft): Promise<IssuedKey>
  /** Those that have not ended, oldest first. */
  listKeys(tenantId: string): Promise<readonly TenantKey[]>
  /** The key is void from the next call on, on every node. NOT_FOUND for one that the tenant does not have. */
  revokeKey(tenantId: string, keyId: string): Promise<TenantKey>
  /** The key, unless it was revoked or has ended: whether what it began may go on. */
  standingKey(tenantId: string, keyId: string): Promise<TenantKey | undefined>
  /**
   * A new key; the tenant’s keys of that role and environment stay valid until `graceUntil` (ISO time): their ids are `replaced`. Default
   * role: the highest that a key of the environment has.
   */
  rotateKey(
    tenantId: string,
    key: { role?: TenantRole | undefined; environment: KeyEnvironment; graceMinutes?: number | undefined },
  ): Promise<IssuedKey & { readonly graceUntil: string; readonly replaced: readonly string[] }>
}
/** Provided by the kernel. */
export const tenantAdmin = defineService<TenantAdmin>('gateway.tenant-admin', 'process')

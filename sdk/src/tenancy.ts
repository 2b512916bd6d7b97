import type { Page } from './collection/query.ts'
import type { Principal } from './context.ts'
import { isToolError, NotFound } from './error.ts'
import { closed } from './objects.ts'
import { type Infer, Type } from './schema.ts'
import { defineService } from './service.ts'

/** Plans that a tenant can be on. */
export const tenantPlans = ['free', 'solo', 'team', 'scale'] as const
/** Plan of a tenant without a record, such as the local one, which belongs to the machine's owner: nothing is sold to it. */
export const planWithoutRecord: (typeof tenantPlans)[number] = 'scale'
/** States of a tenant. */
export const tenantStatuses = ['active', 'suspended', 'deleted'] as const
/** Roles that a credential of a tenant can have; the machine roles belong to the gateway. */
export const tenantRoles = ['viewer', 'member', 'admin', 'owner'] as const
/** Kinds of API keys. */
export const keyEnvironments = ['live', 'test'] as const
/** A role that a tenant's own caller can have. */
export type TenantRole = (typeof tenantRoles)[number]
/** A kind of API key. */
export type KeyEnvironment = (typeof keyEnvironments)[number]

/** The operator's own tenant. Callers from this machine without a credential act on it. */
export const LOCAL_TENANT = 'local'

const SYNTHETIC = 'synthetic.'
/**
 * True for a tenant that was created to test the gateway; it is left out of lists, scopes and metrics. Its id marks it, so that
 * counting needs no look-up.
 */
export const isSynthetic = (tenantId: string): boolean => tenantId.startsWith(SYNTHETIC)
/** Returns the id of the synthetic tenant of a name. */
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
    /** Time of the request; the erasure sweep carries it out after its grace window. */
    erasureRequestedAt: Type.Optional(Type.String()),
    /** Time of the request; the cancellation purge carries it out after its grace window. */
    cancelledAt: Type.Optional(Type.String()),
    /** Since then nobody calls for it, and its data is removed. Its record stays as a tombstone, without its name. */
    deletedAt: Type.Optional(Type.String()),
  },
  closed,
)
/** The record of a tenant. */
export type Tenant = Infer<typeof tenantSchema>

/** A new key in plain text; it is shown only here. */
export interface IssuedKey {
  readonly apiKey: string
  readonly keyId: string
}

/** A key as its tenant sees it, without the key itself. Times are ISO 8601. */
export const keySchema = Type.Object(
  {
    keyId: Type.String(),
    label: Type.Optional(Type.String()),
    role: Type.Enum(tenantRoles),
    environment: Type.Enum(keyEnvironments),
    createdAt: Type.String(),
    lastUsedAt: Type.Optional(Type.String({ description: 'Rounded to the minute; absent when it was never used.' })),
    expiresAt: Type.Optional(Type.String({ description: 'Time when it ends, set at its creation or by a rotation.' })),
    madeBy: Type.Optional(Type.String({ description: 'Principal who made it through the tenant’s own keys.' })),
  },
  closed,
)
/** A key as its tenant sees it. */
export type TenantKey = Infer<typeof keySchema>

/** Properties of a new key. */
export interface KeyDraft {
  readonly role: TenantRole
  readonly environment: KeyEnvironment
  /** Owner of the key: an agent, a machine, a person. */
  readonly label?: string | undefined
  /** ISO time. Default: no expiry. */
  readonly expiresAt?: string | undefined
  /** Id of the principal who makes it; a member's keys end with the membership. */
  readonly madeBy?: string | undefined
}

/**
 * Tenant lifecycle and keys. It crosses tenants, so a tool or route that uses it needs the capability `operator`. Every method
 * but `isHeld` throws NOT_FOUND for an unknown tenant and CONFLICT for a deleted one.
 */
export interface TenantAdmin {
  /**
   * Creates a tenant; without an id one is generated. CONFLICT if the id is taken, BAD_REQUEST if it is not
   * `[a-z0-9][a-z0-9._-]*`, or if it is the id of a synthetic tenant and `synthetic` is not set.
   */
  create(tenant: { name: string; plan: Tenant['plan']; tenantId?: string | undefined; synthetic?: boolean }): Promise<Tenant>
  get(tenantId: string): Promise<Tenant>
  /** All tenants except synthetic ones. */
  list(): Promise<readonly Tenant[]>
  /** The same in pages, by id. A page may have fewer than `limit`, and there is more if it has a `nextCursor`. */
  page(query: { readonly limit: number; readonly cursor?: string }): Promise<Page<Tenant>>
  /**
   * True if the tenant is under legal hold, which every `defineRetention` respects. Rings still drop their oldest documents. A
   * tenant without a record is not under hold.
   */
  isHeld(tenantId: string): Promise<boolean>
  /** With `ifUpdatedAt`: CONFLICT if the tenant has changed since. */
  change(
    tenantId: string,
    change: { plan?: Tenant['plan'] | undefined; legalHold?: boolean | undefined },
    ifUpdatedAt?: string,
  ): Promise<Tenant>
  /** Refuses the tenant's callers from the next call on and ends its streams. Idempotent. */
  suspend(tenantId: string, reason?: string): Promise<Tenant>
  /** Idempotent; clears a pending cancellation. */
  reactivate(tenantId: string): Promise<Tenant>
  requestErasure(tenantId: string): Promise<Tenant>
  cancel(tenantId: string): Promise<Tenant>
  /**
   * Deletes the tenant, if the request still stands, was made before `before` (ISO time), and there is no legal hold: the
   * record becomes a tombstone. `undefined` otherwise, also if the request was withdrawn a moment ago.
   */
  end(tenantId: string, asked: 'erasureRequestedAt' | 'cancelledAt', before: string): Promise<Tenant | undefined>
  /** BAD_REQUEST if the key would already have expired, CONFLICT if the tenant has the maximum number of keys (1,000). */
  issueKey(tenantId: string, key: KeyDraft): Promise<IssuedKey>
  /** Valid keys, oldest first. */
  listKeys(tenantId: string): Promise<readonly TenantKey[]>
  /** Revokes the key from the next call on, on every node. NOT_FOUND for a key that the tenant does not have. */
  revokeKey(tenantId: string, keyId: string): Promise<TenantKey>
  /** Returns the key unless it was revoked or has expired, so that its user knows whether work in its name may continue. */
  standingKey(tenantId: string, keyId: string): Promise<TenantKey | undefined>
  /** Returns the principal of a whole API key, or undefined if the key is not valid now. */
  ownerOfKey(key: string): Promise<Principal | undefined>
  /**
   * Issues a new key. The tenant's keys of that role and environment stay valid until `graceUntil` (ISO time); their ids are
   * `replaced`. Default role: the highest among the keys of the environment.
   */
  rotateKey(
    tenantId: string,
    key: { role?: TenantRole | undefined; environment: KeyEnvironment; graceMinutes?: number | undefined },
  ): Promise<IssuedKey & { readonly graceUntil: string; readonly replaced: readonly string[] }>
}
/** Provided by the kernel. */
export const tenantAdmin = defineService<TenantAdmin>('gateway.tenant-admin', 'process')

/** Returns the record of a tenant; undefined for one without a record, such as the local one, which is on `planWithoutRecord`. */
export async function findTenant(tenants: Pick<TenantAdmin, 'get'>, tenantId: string): Promise<Tenant | undefined> {
  try {
    return await tenants.get(tenantId)
  } catch (error) {
    if (isToolError(error) && error.code === NotFound.code) return undefined
    throw error
  }
}

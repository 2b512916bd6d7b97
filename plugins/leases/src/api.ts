import { defineError, defineService, type Transaction, Type } from '@gateway/sdk'
import type { Lease } from './schema.ts'

export type { Lease } from './schema.ts'

interface Claim {
  readonly key: string
  /** Segments between slashes, at least two: host/lane/pid. */
  readonly holder: string
  /** Principal that the lease must have been acquired by, for a holder whose name others may have too. */
  readonly holderId?: string | undefined
}
interface Term {
  /** Default 600; less than 30 counts as 30, more than 86400 as 86400. */
  readonly leaseSeconds?: number | undefined
}
export interface AcquireRequest extends Claim, Term {
  readonly meta?: Readonly<Record<string, unknown>> | undefined
}
export interface HeartbeatRequest extends Claim, Term {
  readonly epoch: number
}
export interface ReleaseRequest extends Claim {
  readonly epoch: number
  /** The current holder. */
  readonly force?: boolean | undefined
}

export type Acquired =
  | { readonly acquired: true; readonly lease: Lease; readonly tookOverFrom?: string }
  | { readonly acquired: false; readonly heldBy: string; readonly leaseUntil: string }
export type Kept = { readonly ok: true; readonly lease: Lease } | { readonly ok: false; readonly heldBy?: string }

/**
 * Named leases for other families, by the same code as the tools. Each step is part of `tx`, and expiry is decided by its time.
 * The form of keys, holders and meta is not checked: the caller must keep the limits.
 */
export interface Leases {
  acquire(request: AcquireRequest, tx: Transaction): Promise<Acquired>
  heartbeat(request: HeartbeatRequest, tx: Transaction): Promise<Kept>
  /** Returns the released lease; `undefined` if holder or epoch differ. */
  release(request: ReleaseRequest, tx: Transaction): Promise<Lease | undefined>
  /** Returns the lease of a key while it is in force; `undefined` if the key is free or the lease has expired. */
  held(key: string, tx: Transaction): Promise<Lease | undefined>
  /**
   * The fenced write: throws STALE_FENCE unless the lease of `key` is in force and carries `fence`. Everything that the same
   * `tx` writes is then written by the holder of the lease, or not at all.
   */
  guard(held: { readonly key: string; readonly fence: number }, tx: Transaction): Promise<Lease>
}
export const leaseService = defineService<Leases>('leases')

/** A tool that writes behind `guard` lists this among its errors. */
export const StaleFence = defineError('STALE_FENCE', {
  status: 409,
  description: 'The lease of this write has expired, was released or was taken over: stop, and acquire it again.',
  details: Type.Object({ key: Type.String(), fence: Type.Integer(), heldBy: Type.Optional(Type.String()) }),
  message: ({ key, fence, heldBy }) =>
    `The lease ${key} with fence ${fence} is over${heldBy === undefined ? '' : `; ${heldBy} holds it now`}. Nothing was written: stop, and acquire it again.`,
})

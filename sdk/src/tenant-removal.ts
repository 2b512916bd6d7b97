import { defineContribution } from './contribution.ts'
import { defineService } from './service.ts'

/**
 * What a family keeps of tenants outside the store: in files, in a repository, in a program of its own. Whoever keeps something there
 * contributes this. Each method is called for a tenant that is deleted, perhaps again after a kill.
 */
export interface OutsideTheStore {
  /** What it is, as `brain.repository`: stands in the proof. */
  readonly name: string
  /** How many there are, for the proof. */
  count(tenantId: string): Promise<number>
  /** Remove them all; nothing is left when it resolves. */
  remove(tenantId: string): Promise<void>
}
/** Declare how what a family keeps of a tenant outside the store is removed with the tenant. */
export const outsideTheStore = defineContribution<OutsideTheStore>('gateway.outside-the-store')

/**
 * Documents of the store that name a tenant and are not its own: another tenant’s, or the gateway’s under another field than `tenantId`. Whoever
 * has some contributes this. Each method is called for a tenant that is deleted, on one node, perhaps again after a kill.
 */
export interface TenantMentions {
  /** What they are, as `marketplace.listings`: stands in the proof. */
  readonly name: string
  /** How many there are, for the proof. */
  count(tenantId: string): Promise<number>
  /** Remove them, or the name from them; nothing names the tenant when it resolves. */
  remove(tenantId: string): Promise<void>
}
/** Declare how documents that name a tenant and are not its own go with it. */
export const tenantMentions = defineContribution<TenantMentions>('gateway.tenant-mentions')

/**
 * What a family remembers of tenants in the memory of a process. Whoever keeps something there that neither a bound nor an expiry removes
 * soon contributes this.
 */
export interface TenantMemory {
  /** Called in every process of the gateway when a tenant has ended: let go of all of it, at once. Must not throw. */
  forget(tenantId: string): void
}
/** Declare how what a family remembers of a tenant is forgotten with the tenant. */
export const tenantMemory = defineContribution<TenantMemory>('gateway.tenant-memory')

/**
 * Everything the gateway itself keeps of tenants, to be removed. It crosses tenants and asks nothing: whoever uses it takes the
 * capability `operator`, and has ended the tenant before (`TenantAdmin.end`).
 */
export interface TenantRemoval {
  /**
   * How much there is, by collection; without empty ones. Every collection of every family by construction, the documents beyond a tenant that name it as
   * `tenantId`, and the day-files of the audit trail as `audit.days`.
   */
  holds(tenantId: string): Promise<Readonly<Record<string, number>>>
  /** Remove some documents, and then wait three times as long as that took, so that others get at the store; the number, 0 when none are left. */
  removeSome(tenantId: string): Promise<number>
  /**
   * The whole audit trail, as the last thing: other nodes hear of it, and remove their trails of the tenant and what families keep outside of the
   * store (`outsideTheStore`) there.
   */
  removeTrail(tenantId: string): Promise<void>
  /** Who has an audit trail on this node: tenants, and those that belong to nobody. */
  trails(): Promise<readonly string[]>
  /** The day-files before a day (YYYY-MM-DD) but the newest; how many went. The rest verifies as before. */
  purgeTrail(tenantId: string, before: string): Promise<number>
  /** Nothing of what was removed is left in the store’s files; `later`: from the next start on, as the store is large or being read. */
  scrub(): Promise<'done' | 'later'>
  /**
   * Into the operator’s own audit trail, as the record of the request `proofId`; resolves when it is written there. Whoever was
   * killed after that asks `isProven` before it proves again.
   */
  prove(proofId: string, name: string, details: Readonly<Record<string, unknown>>): Promise<void>
  /** Whether the trail of this gateway has the proof. Reads what was written since that time (ISO 8601). */
  isProven(proofId: string, since: string): Promise<boolean>
}
/** Provided by the kernel. */
export const tenantRemoval = defineService<TenantRemoval>('gateway.tenant-removal', 'process')

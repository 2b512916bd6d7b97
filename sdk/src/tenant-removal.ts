import { defineContribution } from './contribution.ts'
import { defineService } from './service.ts'

/**
 * Data of tenants that a family keeps outside the store: in files, in a repository, in a program of its own. Every such family
 * contributes this. Each method is called for a deleted tenant, perhaps again after a crash.
 */
export interface ExternalData {
  /** Its kind in the proof of erasure, such as `brain.repository`. */
  readonly name: string
  /** Number of items, for the proof. */
  count(tenantId: string): Promise<number>
  /** Removes all of them; nothing is left when it resolves. */
  remove(tenantId: string): Promise<void>
}
/** Contributes the removal of a tenant's data outside the store. */
export const externalData = defineContribution<ExternalData>('gateway.external-data')

/**
 * Documents in the store that name a tenant without being its own: another tenant's, or the gateway's under a field other than
 * `tenantId`. Every family with such documents contributes this. Each method is called for a deleted tenant, on one node,
 * perhaps again after a crash.
 */
export interface TenantMentions {
  /** Its kind in the proof of erasure, such as `marketplace.listings`. */
  readonly name: string
  /** Number of documents, for the proof. */
  count(tenantId: string): Promise<number>
  /** Removes the documents, or the name from them; nothing names the tenant when it resolves. */
  remove(tenantId: string): Promise<void>
}
/** Contributes the removal of documents that name a tenant without being its own. */
export const tenantMentions = defineContribution<TenantMentions>('gateway.tenant-mentions')

/**
 * Data of tenants that a family keeps in the memory of a process. Every family contributes this if neither a bound nor an
 * expiry removes the data soon.
 */
export interface TenantCache {
  /** Called in every process of the gateway when a tenant has ended: drop all of its data at once. Must not throw. */
  forget(tenantId: string): void
}
/** Contributes the removal of a tenant's data from memory. */
export const tenantCache = defineContribution<TenantCache>('gateway.tenant-cache')

/**
 * Removes everything the gateway itself keeps of tenants. It crosses tenants and checks nothing: its user needs the capability
 * `operator`, and must have ended the tenant before (`TenantAdmin.end`).
 */
export interface TenantRemoval {
  /**
   * Returns the number of documents by collection, without empty ones: every collection of every family by construction, the
   * documents beyond a tenant that name it as `tenantId`, and the day files of the audit trail as `audit.days`.
   */
  holds(tenantId: string): Promise<Readonly<Record<string, number>>>
  /**
   * Removes some documents and then waits three times as long as that took, so that others can use the store. Returns the
   * number, 0 when none are left.
   */
  removeSome(tenantId: string): Promise<number>
  /**
   * Removes the whole audit trail, as the last step. Other nodes are notified and remove their trails of the tenant and what
   * families keep outside the store (`externalData`) there.
   */
  removeTrail(tenantId: string): Promise<void>
  /** Owners of an audit trail on this node: tenants, and names that belong to none. */
  trails(): Promise<readonly string[]>
  /**
   * Removes the day files before a day (YYYY-MM-DD), except the newest, and returns their number. The rest verifies as before.
   */
  purgeTrail(tenantId: string, before: string): Promise<number>
  /**
   * Scrubs removed data from the store's files; `later` means from the next start on, because the store is large or being read.
   */
  scrub(): Promise<'done' | 'later'>
  /**
   * Writes to the operator's own audit trail, as the record of the request `proofId`; resolves when it is written. After a
   * crash, ask `isProven` before proving again.
   */
  prove(proofId: string, name: string, details: Readonly<Record<string, unknown>>): Promise<void>
  /** True if the trail of this gateway has the proof. It reads records written since that time (ISO 8601). */
  isProven(proofId: string, since: string): Promise<boolean>
}
/** Provided by the kernel. */
export const tenantRemoval = defineService<TenantRemoval>('gateway.tenant-removal', 'process')

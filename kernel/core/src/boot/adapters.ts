import type { Metrics } from '@gateway/metrics'
import type { CollectionRef, GatewayHealth, Operation, Plugin } from '@gateway/sdk'
import type { Settings } from '@gateway/settings'
import type { Store } from '@gateway/storage'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { AccessParts, OpenedAccess } from '../ports/access.ts'
import type { AuditTrail, Refusals } from '../ports/audit.ts'
import type { HealthParts } from '../ports/health.ts'
import type { JobParts, JobRunner } from '../ports/jobs.ts'
import type { Nodes } from '../ports/nodes.ts'

export type IsEnded = (tenantId: string) => boolean

export interface Adapters {
  /** Allows one gateway per data folder. Rejects if another one holds the lock. */
  lockDataDir(dataDir: string, sinceMs: number): Promise<{ release(): void }>
  /** `isEnded` says which tenants nothing is written for any more. */
  openStore(parts: { settings: Settings; clock: Clock; log: Logger; metrics: Metrics; isEnded: IsEnded }): Promise<Store>
  openAudit(parts: { dir: string; metrics: Metrics; store: Store; log: Logger; isEnded: IsEnded }): AuditTrail
  countRefusals(audit: AuditTrail, clock: Clock, failed: (error: unknown) => void): Refusals
  openAccess(parts: AccessParts): Promise<OpenedAccess>
  openNodes(parts: { store: Store; log: Logger; dataDir: string }): Promise<Nodes>
  jobRunner(parts: JobParts): JobRunner
  health(parts: HealthParts): GatewayHealth
  readonly parts: readonly KernelPart[]
}

export interface KernelPart {
  readonly records?: readonly CollectionRef[]
  /** Checks a tool or route and returns faults as sentences. */
  readonly operationFaults?: (operation: Operation) => readonly string[]
  /** Checks plugins against each other. Pure. */
  readonly planFaults?: (plugins: readonly Plugin[]) => readonly { readonly plugin: string; readonly what: string }[]
  /** Ends work that dead nodes left behind. Called at the start and whenever a node has died. */
  readonly endAbandoned?: (left: { store: Store; clock: Clock; alive: readonly string[] }) => Promise<void>
}

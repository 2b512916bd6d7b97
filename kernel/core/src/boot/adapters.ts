import type { Metrics } from '@gateway/metrics'
import type { CollectionRef, GatewayHealth, Operation, Plugin } from '@gateway/sdk'
import type { Settings } from '@gateway/settings'
import type { Store } from '@gateway/storage'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { AuditTrail, Refusals } from '../ports/audit.ts'
import type { HealthParts } from '../ports/health.ts'
import type { JobParts, JobRunner } from '../ports/jobs.ts'
import type { Nodes } from '../ports/nodes.ts'

export type IsEnded = (tenantId: string) => boolean

/** What stands behind the core’s ports. The core chooses none of them: whoever starts a gateway does. */
export interface Adapters {
  /** One gateway per data folder. Rejects when another has it. */
  lockDataDir(dataDir: string, sinceMs: number): Promise<{ release(): void }>
  /** `isEnded` says which tenants nothing is written for any more. */
  openStore(parts: { settings: Settings; clock: Clock; log: Logger; metrics: Metrics; isEnded: IsEnded }): Promise<Store>
  openAudit(parts: { dir: string; metrics: Metrics; store: Store; log: Logger; isEnded: IsEnded }): AuditTrail
  countRefusals(audit: AuditTrail, clock: Clock, failed: (error: unknown) => void): Refusals
  openNodes(parts: { store: Store; log: Logger }): Promise<Nodes>
  jobRunner(parts: JobParts): JobRunner
  health(parts: HealthParts): GatewayHealth
  /** What else takes part in a boot. */
  readonly parts: readonly KernelPart[]
}

/** What a part of the kernel brings to the boot. */
export interface KernelPart {
  /** The documents it keeps, in the kernel’s own name. */
  readonly records?: readonly CollectionRef[]
  /** What it finds wrong with a tool or route, as sentences. */
  readonly operationFaults?: (operation: Operation) => readonly string[]
  /** What it finds wrong with plugins, beside one another. Pure. */
  readonly planFaults?: (plugins: readonly Plugin[]) => readonly { readonly plugin: string; readonly what: string }[]
  /** Ends what nodes that are gone have left. At the start, and whenever one has gone. */
  readonly endLeft?: (left: { store: Store; clock: Clock; alive: readonly string[] }) => Promise<void>
}

import type { CallContext, Log, Principal } from './context.ts'
import type { ErrorSpec } from './error.ts'
import { type MembersOf, refuseUnknown } from './members.ts'
import type { Ref, Resolved, Uses } from './ref.ts'
import type { Schema } from './schema.ts'
import { defineService } from './service.ts'

/** A point where other plugins take part: the owner collects their contributions. Resolves to all of them, in plugin order. */
export interface ContributionRef<T> extends Ref<'contribution', readonly T[]> {
  readonly $item?: T
}

/** Opens a point where other plugins take part. Its owner lists the ref in `uses` and receives all contributions. */
export function defineContribution<T>(id: string): ContributionRef<T> {
  return { kind: 'contribution', id }
}

/** Returned by `contribute`; list it in `contributes` of a plugin. */
export interface Contribution {
  readonly to: ContributionRef<unknown>
  readonly uses: Uses
  readonly create: (uses: never, ctx: CallContext) => unknown
  /** Errors that a contribution may throw, in addition to the common ones. */
  readonly errors?: readonly ErrorSpec[]
}

const CONTRIBUTION: MembersOf<typeof contribute, 1> = { uses: true, create: true, errors: true }

/** Contributes to another plugin or to the kernel. `create` runs for each call that collects, bound to its tenant. */
export function contribute<T, const U extends Uses = Record<never, never>>(
  to: ContributionRef<T>,
  spec: { uses?: U; create: (uses: Resolved<U>, ctx: CallContext) => NoInfer<T>; errors?: readonly ErrorSpec[] },
): Contribution {
  refuseUnknown(`contribute to ${to?.id}`, spec, CONTRIBUTION)
  const { uses = {}, create, errors = [] } = spec
  return { to, uses, create: create as Contribution['create'], errors }
}

/** State of a subsystem: a degraded one still serves something, an unhealthy one nothing. */
export type HealthStatus = 'healthy' | 'degraded' | 'unhealthy'
/** State of one subsystem. The page that shows it is public: figures and faults, nothing of a tenant. */
export interface HealthFinding {
  readonly status: HealthStatus
  readonly [detail: string]: unknown
}
/** Answer of a subsystem to `GET /health/deep`. */
export interface HealthProbe {
  readonly name: string
  check(): Promise<HealthFinding>
}
/** Contributes to `GET /health/deep`. */
export const healthProbe = defineContribution<HealthProbe>('gateway.health-probe')

/** Figures that a family adds to `GET /status`, by name. The page is public: nothing of a tenant. */
export interface StatusFacts {
  /** Schema of each figure, for the description of the page. */
  readonly schema: Readonly<Record<string, Schema>>
  /** Value shown if a figure cannot be read; figures without one are then omitted. */
  readonly unread: Readonly<Record<string, unknown>>
  read(): Promise<Readonly<Record<string, unknown>>>
}
/** Contributes facts to `GET /status`. */
export const statusFacts = defineContribution<StatusFacts>('gateway.status-facts')

/** A section of the boot bundle that an MCP client receives as `instructions`. Keep it short: it is in every agent's context. */
export interface BootSection {
  readonly title: string
  /** Lower comes first. The kernel's own section is 0. */
  readonly order: number
  /** True if the text changes rarely and holds no time or count, so that it can be part of a cached prompt. */
  readonly stable?: boolean
  /** Markdown without the title, or '' to say nothing. */
  render(): Promise<string>
}
/** Contributes a section to the instructions of MCP clients. */
export const bootSection = defineContribution<BootSection>('gateway.boot-section')

/** The whole instructions of an operator's MCP client as one text, in place of the separate sections. */
export interface BootBundle {
  /** Markdown. If it fails, takes too long or is '', the sections are used instead. */
  render(): Promise<string>
}
/** Contributes the instructions of the operator's MCP client. The first contribution is used. */
export const bootBundle = defineContribution<BootBundle>('gateway.boot-bundle')

/** A finished call, or run of a plugin's other code, for metering. */
export interface CallRecord {
  /** The tool or route; otherwise `job <id>`, `on <event>`, `resource <uri>`, `prompt <name>` or `completion of <ref>`. */
  readonly tool: string
  readonly kind: 'tool' | 'route' | 'run'
  readonly tenantId: string
  readonly principal: Principal
  /** Arguments as sent: not validated, and not to be kept as a whole. Absent for a run. */
  readonly args?: unknown
  readonly via: string
  /** `ok`, or the error code. */
  readonly outcome: string
  /** HTTP status of the answer of a tool or route; other runs have none. From 500 on the fault is not the caller's. */
  readonly status?: number
  readonly durationMs: number
  /** True for a call made by another call or by a job, without a request of its own. */
  readonly inner?: boolean
  /** Request id of a tool or route, the same as in the answer, the log and the audit trail. */
  readonly requestId?: string
  /** Trace context as the caller sent it: the W3C header, or `_meta.traceparent` over MCP. Not checked. */
  readonly traceparent?: string | undefined
}
/** Receives every finished call and run on the hot path: it must return at once and must not throw. */
export interface CallObserver {
  observe(call: CallRecord): void
  /**
   * Called when the gateway stops and nothing more will be observed, so that pending data can be stored. The store is still open.
   */
  close?(): Promise<void>
}
/** A process service, so that no instance is created per call. */
export const callObserver = defineContribution<CallObserver>('gateway.call-observer')

/** State of all subsystems at one time. */
export interface HealthReport {
  /** The worst of them. */
  readonly status: HealthStatus
  readonly parts: Readonly<Record<string, HealthFinding>>
  /** Parts whose check itself failed, which says nothing about them; they are listed as unhealthy. */
  readonly failed: readonly string[]
}
/**
 * Checks the kernel's parts and every `healthProbe`, each within a time limit. Concurrent callers share one check. Never throws.
 */
export interface GatewayHealth {
  check(): Promise<HealthReport>
}
/** Provided by the kernel. */
export const gatewayHealth = defineService<GatewayHealth>('gateway.health', 'process')

/** Describes the running gateway, for tools about the gateway itself. Provided by the kernel. */
export interface GatewayInfo {
  readonly version: string
  readonly startedAt: Date
  /**
   * The framework root, which is the master repo: an absolute folder (`GATEWAY_ROOT`). It belongs to the operator, never to a
   * tenant.
   */
  readonly root: string
  /** The data folder: absolute and owned by this process. A plugin keeps its files in a folder of its own in it. */
  readonly dataDir: string
  /** Configured address; port 0 means any free port. */
  readonly address: { readonly host: string; readonly port: number }
  /** Maximum size of an answer, as JSON (`GATEWAY_ANSWER_LIMIT_BYTES`): data that only one answer carries must not be larger. */
  readonly answerLimitBytes: number
  /** Log for process services, which have no call to log by; each line names `plugin`. */
  log(plugin: string): Log
  tools(): readonly { readonly name: string; readonly plugin: string; readonly capability: string; readonly effect: string }[]
  /** Public events of the running plugins, by id. `payload` is a JSON Schema. */
  publicEvents(): ReadonlyMap<string, { readonly plugin: string; readonly description: string; readonly payload: Schema }>
}
/** The kernel's service that describes this gateway. */
export const gatewayInfo = defineService<GatewayInfo>('gateway.info', 'process')

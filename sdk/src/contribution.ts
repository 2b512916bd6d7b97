import type { CallContext, Log, Principal } from './context.ts'
import type { ErrorSpec } from './error.ts'
import { type MembersOf, refuseUnknown } from './members.ts'
import type { Ref, Resolved, Uses } from './ref.ts'
import type { Schema } from './schema.ts'
import { defineService } from './service.ts'

/** “Let me take part”: the owner collects what other plugins contribute. Resolves to all contributions, in plugin order. */
export interface ContributionRef<T> extends Ref<'contribution', readonly T[]> {
  readonly $item?: T
}

/** Open a place where other plugins take part; its owner lists the ref in `uses` and gets what all of them made. */
export function defineContribution<T>(id: string): ContributionRef<T> {
  return { kind: 'contribution', id }
}

/** What `contribute` makes; listed in `contributes` of a plugin. */
export interface Contribution {
  readonly to: ContributionRef<unknown>
  readonly uses: Uses
  readonly create: (uses: never, ctx: CallContext) => unknown
  /** What callers may be refused with by what it makes, beside the common errors. */
  readonly errors?: readonly ErrorSpec[]
}

const CONTRIBUTION: MembersOf<typeof contribute, 1> = { uses: true, create: true, errors: true }

/** Contribute to another plugin (or to the kernel). `create` runs for each call that collects, bound to its tenant. */
export function contribute<T, const U extends Uses = Record<never, never>>(
  to: ContributionRef<T>,
  spec: { uses?: U; create: (uses: Resolved<U>, ctx: CallContext) => NoInfer<T>; errors?: readonly ErrorSpec[] },
): Contribution {
  refuseUnknown(`contribute to ${to?.id}`, spec, CONTRIBUTION)
  const { uses = {}, create, errors = [] } = spec
  return { to, uses, create: create as Contribution['create'], errors }
}

/** How a subsystem is: degraded serves some, unhealthy none. */
export type HealthStatus = 'healthy' | 'degraded' | 'unhealthy'
/** What was found of one subsystem. The page that shows it is open to all: figures and faults, nothing of a tenant. */
export interface HealthFinding {
  readonly status: HealthStatus
  readonly [detail: string]: unknown
}
/** A subsystem’s answer to `GET /health/deep`. */
export interface HealthProbe {
  readonly name: string
  check(): Promise<HealthFinding>
}
/** Take part in `GET /health/deep`. */
export const healthProbe = defineContribution<HealthProbe>('gateway.health-probe')

/** Figures a family adds to `GET /status`, by name. The page is open to all: nothing of a tenant. */
export interface StatusFacts {
  /** What the description of the page says of each. */
  readonly schema: Readonly<Record<string, Schema>>
  /** What stands there when they cannot be read; one that is not among these is left out then. */
  readonly unread: Readonly<Record<string, unknown>>
  read(): Promise<Readonly<Record<string, unknown>>>
}
/** Add facts to `GET /status`. */
export const statusFacts = defineContribution<StatusFacts>('gateway.status-facts')

/** A section of the boot bundle that an MCP client receives as `instructions`. Short: it stands in every agent’s context. */
export interface BootSection {
  readonly title: string
  /** Lower comes first. The kernel’s own section is 0. */
  readonly order: number
  /** Its text changes seldom, and holds no time or count: it may stand where prompts are cached. */
  readonly stable?: boolean
  /** Markdown without the title, or '' for nothing to say. */
  render(): Promise<string>
}
/** Add a section to what an MCP client is told when it connects. */
export const bootSection = defineContribution<BootSection>('gateway.boot-section')

/** What an MCP client of the operator is told when it connects, as one text: in place of the sections one after another. */
export interface BootBundle {
  /** Markdown. When it fails, dawdles or is '', the sections stand there as without it. */
  render(): Promise<string>
}
/** Render what an MCP client of the operator is told when it connects. Of several the first is taken. */
export const bootBundle = defineContribution<BootBundle>('gateway.boot-bundle')

/** One finished call, or run of a plugin’s other code, as a meter sees it. */
export interface CallRecord {
  /** The tool or route; else what ran: `job <id>`, `on <event>`, `resource <uri>`, `prompt <name>`, `completion of <ref>`. */
  readonly tool: string
  readonly kind: 'tool' | 'route' | 'run'
  readonly tenantId: string
  readonly principal: Principal
  /** As the caller sent them: not validated, and not to be kept as a whole. Absent for a run. */
  readonly args?: unknown
  readonly via: string
  /** 'ok', or the error code. */
  readonly outcome: string
  /** The HTTP status of a tool’s or a route’s answer; other runs have none. From 500 on the fault is not the caller’s. */
  readonly status?: number
  readonly durationMs: number
  /** Made by another call, or by a job: no request of its own. */
  readonly inner?: boolean
  /** Of a tool or a route: the same as in the answer, the log and the audit trail. */
  readonly requestId?: string
  /** The caller’s, as it came: the header of W3C Trace Context, or `_meta.traceparent` over MCP. Not looked at. */
  readonly traceparent?: string | undefined
}
/** Sees every finished call and run on the hot path: must return at once and must not throw. */
export interface CallObserver {
  observe(call: CallRecord): void
  /** The gateway stops, and nothing more will be observed: the time to store what was only in memory. The store is still open. */
  close?(): Promise<void>
}
/** A process service, so that no instance is made per call. */
export const callObserver = defineContribution<CallObserver>('gateway.call-observer')

/** What one look at every subsystem found. */
export interface HealthReport {
  /** The worst of them. */
  readonly status: HealthStatus
  readonly parts: Readonly<Record<string, HealthFinding>>
  /** The parts whose check itself failed, which says nothing of them; they stand as unhealthy. */
  readonly failed: readonly string[]
}
/** Asks the kernel’s own parts and every `healthProbe`, each within a time limit; who asks meanwhile shares the look. Never throws. */
export interface GatewayHealth {
  check(): Promise<HealthReport>
}
/** Provided by the kernel. */
export const gatewayHealth = defineService<GatewayHealth>('gateway.health', 'process')

/** What is running: for tools that describe the gateway itself. Provided by the kernel. */
export interface GatewayInfo {
  readonly version: string
  readonly startedAt: Date
  /** The framework root, the master repo: an absolute folder (`GATEWAY_ROOT`). It is the operator’s, never a tenant’s. */
  readonly root: string
  /** The data folder: absolute, this process’s own. A plugin keeps its files in a folder of its own in it. */
  readonly dataDir: string
  /** Where it is told to listen: port 0 is whichever is free. */
  readonly address: { readonly host: string; readonly port: number }
  /** For process services, which have no call to log by; `plugin` stands in each line. */
  log(plugin: string): Log
  tools(): readonly { readonly name: string; readonly plugin: string; readonly capability: string; readonly effect: string }[]
  /** The public events of the running plugins, by their ids. `payload` is a JSON Schema. */
  publicEvents(): ReadonlyMap<string, { readonly plugin: string; readonly description: string; readonly payload: Schema }>
}
/** The kernel’s service that says what this gateway is and offers. */
export const gatewayInfo = defineService<GatewayInfo>('gateway.info', 'process')

import type { CallContext } from './context.ts'
import type { ErrorSpec } from './error.ts'
import { type MembersOf, refuseUnknown } from './members.ts'
import type { Ref, Resolved, Uses } from './ref.ts'
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

/** A subsystem’s answer to `GET /health/deep`. */
export interface HealthProbe {
  readonly name: string
  check(): Promise<{ readonly status: 'healthy' | 'degraded' | 'unhealthy'; readonly [detail: string]: unknown }>
}
/** Take part in `GET /health/deep`. */
export const healthProbe = defineContribution<HealthProbe>('gateway.health-probe')

/** Figures a family adds to `GET /status`, as document fields: `agents`, `skills`, `sessions`, `llm` … */
export type StatusFacts = () => Promise<Readonly<Record<string, unknown>>>
/** Add facts to `GET /status`. */
export const statusFacts = defineContribution<StatusFacts>('gateway.status-facts')

/** A section of the boot bundle that an MCP client receives as `instructions`. Short: it stands in every agent’s context. */
export interface BootSection {
  readonly title: string
  /** Lower comes first. The kernel’s own section is 0. */
  readonly order: number
  /** Markdown without the title, or '' for nothing to say. */
  render(): Promise<string>
}
/** Add a section to what an MCP client is told when it connects. */
export const bootSection = defineContribution<BootSection>('gateway.boot-section')

/** One finished call, as a meter sees it. */
export interface CallRecord {
  readonly tool: string
  readonly tenantId: string
  readonly via: string
  /** 'ok', or the error code. */
  readonly outcome: string
  readonly durationMs: number
}
/** Sees every finished call on the hot path: must return at once and must not throw. */
export interface CallObserver {
  observe(call: CallRecord): void
}
/** A process service, so that no instance is made per call. */
export const callObserver = defineContribution<CallObserver>('gateway.call-observer')

/** What is running: for tools that describe the gateway itself. Provided by the kernel. */
export interface GatewayInfo {
  readonly version: string
  readonly startedAt: Date
  /** The framework root, the master repo: an absolute folder (`GATEWAY_ROOT`). It is the operator’s, never a tenant’s. */
  readonly root: string
  tools(): readonly { readonly name: string; readonly plugin: string; readonly capability: string; readonly effect: string }[]
}
/** The kernel’s service that says what this gateway is and offers. */
export const gatewayInfo = defineService<GatewayInfo>('gateway.info', 'process')

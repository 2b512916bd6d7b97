import type { Metrics } from '@gateway/metrics'
import type {
  Client,
  ContributionRef,
  EventRef,
  Exchange,
  GatewayHealth,
  Infer,
  Plugin,
  Principal,
  Prompt,
  Resource,
  Route,
  Tool,
  ToolError,
  Via,
} from '@gateway/sdk'
import type { Settings } from '@gateway/settings'
import type { Answer, Store } from '@gateway/storage'
import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import type { Access } from './ports/access.ts'
import type { AuditTrail, CallOrigin } from './ports/audit.ts'
import type { Relay } from './ports/relay.ts'

export interface Call {
  readonly name: string
  readonly args: unknown
  readonly principal: Principal
  readonly via: Via
  readonly requestId: string
  readonly signal?: AbortSignal
  readonly origin?: CallOrigin | undefined
  /** Reports that the answer is sent; until then the call keeps its permit. Absent if nothing is sent. */
  afterReply?(listener: () => void): void
  readonly progress?: ((done: number, total?: number, message?: string) => void) | undefined
  readonly exchange?: Exchange | undefined
  /** A repeated call with the same key returns the first answer. As the caller sent it; ignored by calls that only read. */
  readonly idempotencyKey?: unknown
  /** Absent if no client can be asked. */
  readonly client?: Client | undefined
  readonly traceparent?: string | undefined
  /** False while the client is away and may come back for the answer. Absent: connected. */
  readonly isConnected?: boolean | undefined
  /** False if the caller's credential has ended since the call began. Absent: the caller has none. */
  stillAdmitted?(): Promise<boolean>
  readonly outer?: PausableCall | undefined
}

/** A call that may return its permit while it waits. */
export interface PausableCall {
  pause(): void
  resume(): void
}

export interface CompletionRequest {
  readonly of: 'prompt' | 'resource'
  /** Name of the prompt, or the URI template. */
  readonly ref: string
  readonly argument: string
  readonly typed: string
  readonly others: Readonly<Record<string, string>>
}

/** Outcome of a call. Never thrown; a transport only has to write it. */
export type Outcome = Answer & {
  /** True if this is the first answer to an idempotency key, repeated; `omitted` says what it lacks. */
  readonly replayed?: boolean
  readonly omitted?: readonly string[]
}

/** Everything the running plugins offer, in plugin order, with the id of the plugin. */
export interface Offered<T> {
  readonly plugin: string
  readonly item: T
}
export interface Inventory {
  readonly plugins: readonly Plugin[]
  readonly tools: ReadonlyMap<string, Offered<Tool>>
  readonly routes: ReadonlyMap<string, Offered<Route>>
  readonly resources: readonly Offered<Resource>[]
  readonly prompts: ReadonlyMap<string, Offered<Prompt>>
}

export interface CallAdmission {
  readonly inFlight: number
  /** True if more than one tenant has calls. */
  readonly isShared: boolean
  /** Returns the number of calls that a tenant has under way. */
  held(tenantId: string): number
  /** Returns the refusal of a call before its body is read. */
  refusal(tenantId: string): ToolError | undefined
}

export interface Gateway {
  readonly version: string
  readonly startedAt: number
  readonly settings: Settings
  readonly clock: Clock
  readonly log: Logger
  readonly store: Store
  readonly relay: Relay
  readonly access: Access
  readonly metrics: Metrics
  readonly health: GatewayHealth
  /** For transports whose requests are not calls. */
  readonly audit: Pick<AuditTrail, 'append'>
  readonly admission: CallAdmission
  readonly rates: { refusal(principal: Principal): ToolError | undefined }
  /** Notifies a transport that a tenant is suspended, so that it ends the tenant's streams. */
  onTenantBlocked(listener: (tenantId: string) => void): void
  /** For streams, which outlast the request that was admitted. */
  isTenantActive(tenantId: string): boolean
  /** Returns true if a tenant has that name: answered from memory, for names that anybody may send. */
  hasTenant(tenantId: string): boolean
  readonly inventory: Inventory
  /**
   * Returns the tools of the principal's tenant that are not in the inventory. The array is identical for as long as the tools
   * are the same. Synchronous if no plugin has tools of tenants.
   */
  tenantTools(principal: Principal): readonly Offered<Tool>[] | Promise<readonly Offered<Tool>[]>
  readonly report: readonly PluginReport[]
  /** Runs a call. An unknown name gives the code UNKNOWN_TOOL, status 404. */
  invoke(call: Call): Promise<Outcome>
  /** Reads a resource or renders a prompt under the same rules for access and errors. */
  readResource(uri: string, call: Omit<Call, 'name' | 'args'>): Promise<Outcome>
  renderPrompt(call: Call): Promise<Outcome>
  /** Completes an argument of a prompt or a variable of a resource template: `{ values }`. */
  complete(call: Omit<Call, 'name' | 'args'>, asked: CompletionRequest): Promise<Outcome>
  /** Subscribes a transport to an event of any tenant until the gateway stops. The listener must not throw. */
  subscribe<E extends EventRef>(event: E, listener: (payload: Infer<E['payload']>, tenantId: string) => void): void
  /** Contributions of plugins to one of the kernel's own contribution points, bound to the principal's tenant. */
  collect<T>(ref: ContributionRef<T>, principal: Principal): readonly T[]
  /** Answers the calls that wait for a change, and from now on none waits. */
  endWaits(): void
  /**
   * Refuses new calls, lets running ones end (within `runningMs`, by default the time limit), stops plugins in reverse order and
   * closes the store.
   */
  stop(runningMs?: number): Promise<void>
}

export interface PluginReport {
  readonly id: string
  readonly outcome: 'started' | 'off' | 'failed'
  readonly milliseconds: number
  readonly tools: number
  readonly error?: string
}

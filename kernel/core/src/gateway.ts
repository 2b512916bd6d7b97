import type { Metrics } from '@gateway/metrics'
import type {
  Client,
  ContentBlock,
  ContributionRef,
  ErrorRecord,
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
  Via,
} from '@gateway/sdk'
import type { Settings } from '@gateway/settings'
import type { Store } from '@gateway/storage'
import type { Logger } from 'pino'
import type { Access } from './access/access.ts'
import type { Clock } from './clock.ts'
import type { CallOrigin } from './ports/audit.ts'
import type { Relay } from './ports/relay.ts'
import type { Admission } from './registry/admission.ts'
import type { RateLimits } from './registry/rate-limits.ts'

/** One call of a tool or a route, from any face. */
export interface Call {
  readonly name: string
  readonly args: unknown
  readonly principal: Principal
  readonly via: Via
  readonly requestId: string
  readonly signal?: AbortSignal
  readonly origin?: CallOrigin | undefined
  /** Tells when the answer is out: until then the call keeps its place. Absent where nothing is sent. */
  afterReply?(listener: () => void): void
  readonly progress?: ((done: number, total?: number, message?: string) => void) | undefined
  /** The streams of a raw route. */
  readonly exchange?: Exchange | undefined
  /** Absent where nobody can be asked. */
  readonly client?: Client | undefined
  /** Whose trace the call belongs to, as its caller says: for observers. */
  readonly traceparent?: string | undefined
}

export interface CompletionRequest {
  readonly of: 'prompt' | 'resource'
  /** Name of the prompt, or the URI template. */
  readonly ref: string
  readonly argument: string
  readonly typed: string
  readonly others: Readonly<Record<string, string>>
}

/** What became of a call. Never thrown: a face only has to write it down. */
export type Outcome =
  | { readonly ok: true; readonly status: number; readonly result: object; readonly content?: readonly ContentBlock[] | undefined }
  | { readonly ok: false; readonly status: number; readonly error: ErrorRecord }

/** Everything the running plugins offer, in plugin order, with the id of the plugin that offers it. */
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

/** The booted gateway as its faces see it. */
export interface Gateway {
  readonly version: string
  readonly startedAt: number
  readonly settings: Settings
  readonly clock: Clock
  readonly log: Logger
  readonly store: Store
  /** What is told to, and heard from, other gateways on the same store. */
  readonly relay: Relay
  /** Who is calling: the first step of every face. */
  readonly access: Access
  /** What is measured, and by what. */
  readonly metrics: Metrics
  /** One look at every subsystem. */
  readonly health: GatewayHealth
  /** Which calls may run, of which tenant. */
  readonly admission: Pick<Admission, 'refusal' | 'inFlight' | 'isShared'>
  /** How many calls a caller, and a tenant, may make in a minute. */
  readonly rates: Pick<RateLimits, 'refusal'>
  /** Told when a tenant is suspended: a face ends its open streams. */
  onTenantBlocked(listener: (tenantId: string) => void): void
  /** For what outlasts the request that was let in at the door. */
  isTenantActive(tenantId: string): boolean
  /** Whether there is a tenant of that name: answered from memory, for names that anybody may send. */
  hasTenant(tenantId: string): boolean
  readonly inventory: Inventory
  /**
   * What the principal’s tenant has beside the inventory: the very same array for as long as it is the same. At once where no
   * plugin has tools of tenants.
   */
  tenantTools(principal: Principal): readonly Offered<Tool>[] | Promise<readonly Offered<Tool>[]>
  /** Per plugin: how long it took to start and how it went. */
  readonly report: readonly PluginReport[]
  /** The one path. An unknown name is the code UNKNOWN_TOOL, status 404. */
  invoke(call: Call): Promise<Outcome>
  /** Read a resource, or render a prompt, on the same access and error rules. */
  readResource(uri: string, call: Omit<Call, 'name' | 'args'>): Promise<Outcome>
  renderPrompt(call: Call): Promise<Outcome>
  /** What to offer while an argument of a prompt, or a variable of a resource template, is typed: `{ values }`. */
  complete(call: Omit<Call, 'name' | 'args'>, asked: CompletionRequest): Promise<Outcome>
  /** Hear an event of any tenant, until the gateway stops: for the faces. The listener must not throw. */
  hear<E extends EventRef>(event: E, listener: (payload: Infer<E['payload']>, tenantId: string) => void): void
  /** What plugins contributed to one of the kernel’s own contribution points, bound to the principal’s tenant. */
  collect<T>(ref: ContributionRef<T>, principal: Principal): readonly T[]
  /** Refuse new calls, let running ones end (within `runningMs`, by default the time limit), stop plugins in reverse, close the store. */
  stop(runningMs?: number): Promise<void>
}

export interface PluginReport {
  readonly id: string
  readonly outcome: 'started' | 'off' | 'failed'
  readonly milliseconds: number
  readonly tools: number
  readonly error?: string
}

import { defineContribution, defineService } from '@gateway/sdk'
import type { ChannelType, ComplexityLevel, Mode, ProviderName, Tier, WorkType } from './schema.ts'

export { BudgetExceeded, modelErrors } from './errors.ts'
export {
  CHANNEL_TYPES,
  type ChannelType,
  COMPLEXITY_LEVELS,
  type ComplexityLevel,
  completionFields,
  MODES,
  type Mode,
  PROVIDERS,
  type ProviderName,
  TIERS,
  type Tier,
  WORK_TYPES,
  type WorkType,
} from './schema.ts'

// ------------------------------------------------------------ routing ----

/** What is known of a piece of work when its model is chosen. The first that is given decides: tier, workType, complexityLevel, tool, agent, channelType. */
export interface RoutingQuery {
  readonly tier?: Tier | undefined
  readonly workType?: WorkType | undefined
  readonly complexityLevel?: ComplexityLevel | undefined
  readonly tool?: string | undefined
  readonly agent?: string | undefined
  readonly channelType?: ChannelType | undefined
  /** 0 to 1; from 0.8 on the tier is one higher than it would be, unless it was named outright. */
  readonly complexity?: number | undefined
  /** Default: `runner` for the channel `scheduler`, else `interactive`. */
  readonly mode?: Mode | undefined
}

/** Which rule named the tier. */
export type RoutingRule = 'tier' | 'workType' | 'complexityLevel' | 'tool' | 'agent' | 'channel' | 'default'

export interface RoutingDecision {
  readonly provider: ProviderName
  readonly model: string
  readonly tier: Tier
  readonly mode: Mode
  readonly rule: RoutingRule
  /** One sentence for a person: what decided, and what moved it. */
  readonly reason: string
  /** The tier that the rule named, where complexity or a budget has moved it. */
  readonly upgradedFrom?: Tier
  readonly downgradedFrom?: Tier
  /** The provider that comes first, where it could not be taken, and why. */
  readonly failoverFrom?: ProviderName
  readonly failoverReason?: string
}

// -------------------------------------------------------------- calls ----

export interface ModelMessage {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

/** One call of a model. Who pays, who may end it and what time it is are the caller’s `ctx`. */
export interface ModelRequest extends RoutingQuery {
  readonly system?: string | undefined
  readonly messages: readonly ModelMessage[]
  /** Of the answer. Default 4,096. */
  readonly maxTokens?: number | undefined
  /** What is charged, as `budgets.channels` names it. Default: the channel type, else the face the call came through. */
  readonly channel?: string | undefined
  /** Ends the call, down to the socket, beside the signal of `ctx`. */
  readonly signal?: AbortSignal | undefined
  /**
   * The answer as it comes. A higher `attempt` means that the answer begins anew, at another provider: what came before is void.
   * Must not throw.
   */
  readonly onDelta?: ((text: string, attempt: number) => void) | undefined
  /**
   * The call has been answered. What this returns is waited for, beside the writing of what was spent: two records that are written
   * side by side are on the disk as soon as one. An answer that then could not be charged for is an error all the same.
   */
  readonly onAnswer?: ((completion: Completion) => Promise<unknown>) | undefined
}

/**
 * The tokens and the price of a call. `estimated`: the provider reported no plausible count, so four characters count as a token.
 * `inputTokens` includes those of caches, which are absent where there are none.
 */
export interface ModelUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens?: number
  readonly cacheWriteTokens?: number
  readonly estimated: boolean
  /** 0 for a model without a price in `prices`: `priced` is false then. */
  readonly costUsd: number
  readonly priced: boolean
}

export interface Completion {
  readonly text: string
  /** `length`: cut off at `maxTokens`. */
  readonly stopReason: 'end' | 'length' | 'filtered'
  readonly provider: ProviderName
  readonly model: string
  readonly tier: Tier
  readonly routing: RoutingDecision
  readonly usage: ModelUsage
  /** Providers that were tried before this one. */
  readonly hops: number
  readonly durationMs: number
  readonly firstTokenMs: number
}

/** How a provider stands, in this process. */
export interface ProviderState {
  readonly provider: ProviderName
  readonly breaker: 'closed' | 'open' | 'half-open'
  /** In a row, up to now. */
  readonly failures: number
  /** ISO 8601; while the breaker is open. */
  readonly openUntil?: string
  readonly status: 'active' | 'draining' | 'maintenance'
  readonly inFlight: number
  readonly queued: number
}

/** Language models, for every family that asks one something: the one way to a provider. */
export interface Models {
  /** Whether any provider is configured. */
  readonly configured: boolean
  /** Which model a call with this would go to now; throws UNAVAILABLE when there is none. */
  route(query: RoutingQuery): Promise<RoutingDecision>
  /**
   * Ask. Throws UNAVAILABLE (nothing configured, or nothing of it can be reached), MODEL_REFUSED (the request cannot be served, say
   * because of a wrong key: trying again is in vain), what a `spendGuard` refuses with, and the reason of the signal.
   */
  complete(request: ModelRequest): Promise<Completion>
  /** Of the configured providers, in the order of the chain. */
  states(): Promise<readonly ProviderState[]>
}
/** A tool that uses it lists `modelErrors`. */
export const models = defineService<Models>('providers.models')

// -------------------------------------------------------------- money ----

/** Whose money a call takes. */
export interface Payer {
  readonly channel: string
  /** The principal’s id. */
  readonly member: string
}

/** A call that is about to be made, at its greatest price. */
export interface PlannedSpend extends Payer {
  /** Prefix call-; one of each attempt at a provider. */
  readonly callId: string
  readonly provider: ProviderName
  readonly model: string
  readonly tier: Tier
  readonly agent?: string | undefined
  /** An estimate. */
  readonly inputTokens: number
  readonly maxOutputTokens: number
  /** With all of `maxOutputTokens`; 0 for a model without a price. */
  readonly maxCostUsd: number
}

/** What a call took in the end. */
export interface Spend extends Payer, ModelUsage {
  readonly callId: string
  readonly provider: ProviderName
  readonly model: string
  readonly tier: Tier
  readonly agent?: string | undefined
  /** `failed`: it broke off after part of the answer had come, which is charged by estimate. */
  readonly outcome: 'ok' | 'failed'
}

/** Exactly one of the two is called, once. */
export interface Reservation {
  /** The call is over; the answer is given to its caller after this has resolved, and not at all when it throws. */
  settle(spend: Spend): Promise<void>
  /** Nothing was used. Must not throw. */
  release(): Promise<void>
}

/** `downgrade`: the call should go to the next cheaper tier; `reason` is told to the caller. */
export interface BudgetAdvice {
  readonly downgrade: boolean
  readonly reason?: string | undefined
}

/** For the family that keeps budgets. Without one, every call is free to be made, and no spend is written. */
export interface SpendGuard {
  /** Asked once for each call, before it is routed, and by routing_info. */
  advise(payer: Payer): Promise<BudgetAdvice>
  /** Asked before each attempt; throws `BudgetExceeded` when the money is used up. */
  reserve(planned: PlannedSpend): Promise<Reservation>
}
export const spendGuard = defineContribution<SpendGuard>('providers.spend-guard')

// ------------------------------------------------------------- agents ----

/** For the family that knows agents: the tier that an agent asks for. The settings of this plugin have the last word. */
export interface AgentTiers {
  tierOf(agent: string): Promise<Tier | undefined>
  all(): Promise<Readonly<Record<string, Tier>>>
}
export const agentTiers = defineContribution<AgentTiers>('providers.agent-tiers')

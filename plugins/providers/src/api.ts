import { defineContribution, defineService, type Transaction } from '@gateway/sdk'
import type { Wire } from './rules/answer.ts'
import type { ModelMessage, ModelTool, ModelToolCall, ModelUsage, StopReason } from './rules/messages.ts'
import type { ModelRelay, ServedModel } from './rules/relay.ts'
import type { ChannelType, ComplexityLevel, Mode, OutsideUsage, ProviderName, Tier, WorkType } from './schema.ts'

export { BudgetExceeded, modelErrors } from './errors.ts'
export { type Draft, Malformed, type Prompt, ReportedFailure, type Wire } from './rules/answer.ts'
export type {
  ModelMessage,
  ModelText,
  ModelTool,
  ModelToolCall,
  ModelToolRequest,
  ModelToolResult,
  ModelToolResults,
  ModelUsage,
  StopReason,
} from './rules/messages.ts'
export type { ModelRelay, RawAnswer, RelayLimits, ServedModel, WireName } from './rules/relay.ts'
export { factorAsked } from './rules/service-tier.ts'
export { addToolCall } from './rules/tool-calls.ts'
export type { Dearer } from './rules/usage.ts'
export {
  CHANNEL_TYPES,
  type ChannelType,
  COMPLEXITY_LEVELS,
  type ComplexityLevel,
  completionFields,
  MODES,
  type Mode,
  OutsideUsage,
  PROVIDERS,
  type ProviderName,
  TIERS,
  type Tier,
  WORK_TYPES,
  type WorkType,
} from './schema.ts'

/**
 * Facts about a piece of work when its model is chosen. The first given one decides: model, tier, workType, complexityLevel,
 * tool, agent, channelType.
 */
export interface RoutingQuery {
  /**
   * A pin: the name of a configured model, or `provider/model` or `provider:model`, which does not fail over. Neither complexity
   * nor a budget changes it. UNAVAILABLE where no provider has it.
   */
  readonly model?: string | undefined
  readonly tier?: Tier | undefined
  readonly workType?: WorkType | undefined
  readonly complexityLevel?: ComplexityLevel | undefined
  readonly tool?: string | undefined
  readonly agent?: string | undefined
  /** The task that the work is for: its caps and those of its swarm apply. It does not choose the model. */
  readonly taskId?: string | undefined
  readonly channelType?: ChannelType | undefined
  /** 0 to 1; from 0.8 on the tier is one higher than otherwise, unless it was named outright. */
  readonly complexity?: number | undefined
  /** Default: `runner` for the channel `scheduler`, else `interactive`. */
  readonly mode?: Mode | undefined
}

export type RoutingRule = 'model' | 'tier' | 'workType' | 'complexityLevel' | 'tool' | 'agent' | 'channel' | 'default'

export interface RoutingDecision {
  readonly provider: ProviderName
  readonly model: string
  readonly tier: Tier
  readonly mode: Mode
  readonly rule: RoutingRule
  /** A sentence for a person: the deciding rule, and any adjustment. */
  readonly reason: string
  /** The tier that the rule named, if complexity or a budget has changed it. */
  readonly upgradedFrom?: Tier
  readonly downgradedFrom?: Tier
  /** The first provider of the chain that could not be used, and the reason. */
  readonly failoverFrom?: ProviderName
  readonly failoverReason?: string
}

/** A protocol of model servers, beside `openai` and `anthropic`: a POST of JSON, answered by JSON or by a stream of events. */
export interface ModelWire extends Wire {
  /** Value of `wire` in the settings of a provider. */
  readonly name: string
}
export const modelWires = defineContribution<ModelWire>('providers.wire')

/** A model call. Its payer, signal and clock come from the caller's `ctx`. */
export interface ModelRequest extends RoutingQuery {
  readonly system?: string | undefined
  readonly messages: readonly ModelMessage[]
  /** Tools that the model may ask for; absent or empty: none. A provider that refuses them is MODEL_REFUSED. */
  readonly tools?: readonly ModelTool[] | undefined
  /** Limit of the answer. Default 4,096. */
  readonly maxTokens?: number | undefined
  /** Channel that is charged, as `budgets.channels` names it. Default: the channel type, otherwise the transport of the call. */
  readonly channel?: string | undefined
  /** The request of a client in its own words; `messages` is empty then. */
  readonly relay?: ModelRelay | undefined
  /** Ends the call, down to the socket, in addition to the signal of `ctx`. */
  readonly signal?: AbortSignal | undefined
  /**
   * The answer as it arrives. A higher `attempt` means that the answer restarts at another provider and earlier parts are void.
   * Must not throw.
   */
  readonly onDelta?: ((text: string, attempt: number) => void) | undefined
  /**
   * Called when the call has been answered. Its result is awaited next to the record of the spending: two records written
   * together are durable as soon as one. An answer that then could not be charged is an error all the same.
   */
  readonly onAnswer?: ((completion: Completion) => Promise<unknown>) | undefined
}

/** A client's request whose prompt is to be counted. */
export interface PromptRequest extends RoutingQuery {
  readonly channel?: string | undefined
  readonly relay: ModelRelay
}

export interface Completion {
  /** May be empty if the model asks for tools, or has nothing to add to their results. */
  readonly text: string
  /** Tools that the model asks for, in its order; empty for a final answer. */
  readonly toolCalls: readonly ModelToolCall[]
  /** `length`: cut off at `maxTokens`, possibly within a tool call. `tools`: the model waits for the results of `toolCalls`. */
  readonly stopReason: StopReason
  readonly provider: ProviderName
  readonly model: string
  readonly tier: Tier
  readonly routing: RoutingDecision
  readonly usage: ModelUsage
  /** Number of providers tried before this one. */
  readonly hops: number
  readonly durationMs: number
  readonly firstTokenMs: number
}

/** State of a provider in this process. */
export interface ProviderState {
  readonly provider: ProviderName
  readonly breaker: 'closed' | 'open' | 'half-open'
  /** Consecutive failures so far. */
  readonly failures: number
  /** ISO 8601; present while the breaker is open. */
  readonly openUntil?: string
  readonly status: 'active' | 'draining' | 'maintenance'
  readonly inFlight: number
  readonly queued: number
}

/** Language models, for every family that uses them: the only way to a provider. */
export interface Models {
  /** True if a provider has a model. */
  readonly configured: boolean
  /** The models that may be named, by provider in the order of the chain. */
  list(): readonly ServedModel[]
  /** True if a provider has the pinned model, whatever its state. */
  serves(model: string): boolean
  /** The model that a call with this query would use now; throws UNAVAILABLE without one. */
  route(query: RoutingQuery): Promise<RoutingDecision>
  /**
   * True if a provider takes a call with this query now, or within the time that a call may wait. False while all of them are in maintenance
   * or rest after failures. Throws like `route`.
   */
  takes(query: RoutingQuery): Promise<boolean>
  /**
   * Asks a model. Throws UNAVAILABLE (nothing configured, or nothing reachable), MODEL_REFUSED (the request cannot be served,
   * for example because of a wrong key, and a retry is pointless), the refusal of a `spendGuard`, and the reason of the signal.
   */
  complete(request: ModelRequest): Promise<Completion>
  /**
   * Tokens of a prompt as the provider that a call would ask counts them, which costs nothing. Undefined where that provider cannot count,
   * takes no calls now, or fails: the estimate of the relay holds then. Throws like `complete` where a call would be refused.
   */
  countPrompt(request: PromptRequest): Promise<number | undefined>
  /** States of the configured providers, in the order of the chain. */
  states(): Promise<readonly ProviderState[]>
}
/** A tool that uses it lists `modelErrors`. */
export const models = defineService<Models>('providers.models')

export interface Payer {
  readonly channel: string
  /** Id of the principal. */
  readonly member: string
  /** Label of the caller's API key. */
  readonly key?: string | undefined
}

/** A call that is about to be made, at its greatest price. */
export interface PlannedSpend extends Payer {
  /** Prefix call-; one for each attempt at a provider. */
  readonly callId: string
  readonly provider: ProviderName
  readonly model: string
  readonly tier: Tier
  readonly agent?: string | undefined
  readonly taskId?: string | undefined
  /** An estimate. */
  readonly inputTokens: number
  readonly maxOutputTokens: number
  /** With all of `maxOutputTokens`; 0 for a model without a price. */
  readonly maxCostUsd: number
  /** Charged as an estimate if the process dies before the call ends. `Reservation.cover` replaces it. */
  readonly covered: CoveredSpend
}

/** A cost that is on record for a running call. */
export type CoveredSpend = Pick<ModelUsage, 'inputTokens' | 'outputTokens' | 'costUsd' | 'priced'>

/** Final usage of a call. */
export interface Spend extends Payer, ModelUsage {
  readonly callId: string
  readonly provider: ProviderName
  readonly model: string
  readonly tier: Tier
  readonly agent?: string | undefined
  readonly taskId?: string | undefined
  /** `failed`: it broke off after part of the answer had arrived, which is charged by estimate. */
  readonly outcome: 'ok' | 'failed'
}

/** Exactly one of the two is called, once. */
export interface Reservation {
  /** The call is over. Its caller receives the answer after this has resolved, and not at all if it throws. */
  settle(spend: Spend): Promise<void>
  /** Releases the reservation: the call used no tokens. Must not throw. */
  release(): Promise<void>
  /** Asked about twice a second during an answer; throws `BudgetExceeded` once the call reaches a cap with what it has cost so far. */
  check?(costUsd: number): Promise<void>
  /** Puts a higher cost on record. The caller receives no part of the answer that is not on record. */
  cover?(covered: CoveredSpend): Promise<void>
}

/** `downgrade`: the call should use the next cheaper tier; `reason` is shown to the caller. */
export interface BudgetAdvice {
  readonly downgrade: boolean
  readonly reason?: string | undefined
}

/** Contributed by the family that keeps budgets. Without one, every call is allowed and no spending is recorded. */
export interface SpendGuard {
  /** Called once for each call before it is routed, and by routing_info. */
  advise(payer: Payer & { readonly agent?: string | undefined; readonly taskId?: string | undefined }): Promise<BudgetAdvice>
  /** Called before each attempt; throws `BudgetExceeded` when the budget is used up. */
  reserve(planned: PlannedSpend): Promise<Reservation>
}
export const spendGuard = defineContribution<SpendGuard>('providers.spend-guard')

/** Contributed by the family that knows agents: the tier that an agent asks for. The settings of this plugin take precedence. */
export interface AgentTiers {
  tierOf(agent: string): Promise<Tier | undefined>
  all(): Promise<Readonly<Record<string, Tier>>>
}
export const agentTiers = defineContribution<AgentTiers>('providers.agent-tiers')

/** Contributed by the family that keeps budgets. */
export interface UsageLedger {
  /**
   * Counts the usage towards the budgets of the caller's tenant, in the caller's transaction. BAD_REQUEST if there is nothing to count, which
   * names a member of `field`, the argument that holds the usage, if it is not all of them.
   */
  add(usage: OutsideUsage, tx: Transaction, field?: string): Promise<void>
}
export const usageLedger = defineContribution<UsageLedger>('providers.usage-ledger')

/** The price of tokens, as the configuration and the table of public prices have it. */
export interface PriceList {
  /** Undefined for a model without a price. */
  costUsd(usage: OutsideUsage): number | undefined
}
export const priceList = defineContribution<PriceList>('providers.price-list')

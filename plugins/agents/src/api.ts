import type { ChannelType, Completion, ModelText, Tier, WorkType } from '@gateway/plugin-providers/api'
import { defineContribution, defineService } from '@gateway/sdk'
import type { Agent, AgentSummary, Category, Hook, Place, Reached, Rule, RuleSummary, Skill, SkillSummary, ToolUse } from './schema.ts'

export { modelErrors as invocationErrors } from '@gateway/plugin-providers/api'
export type { Agent, AgentSummary, Category, Hook, Place, Reached, Rule, RuleSummary, Skill, SkillSummary, ToolUse } from './schema.ts'

/** Origin of an answer: the store, or the copy in memory that answers while the store is unavailable. */
export type Source = 'database' | 'memory'
export interface Listed<Item> {
  readonly source: Source
  readonly items: readonly Item[]
  /** Number of files in the folders that could not be read as such a definition. `gateway doctor` names them. */
  readonly leftOut: number
}

/** `search`: a pattern, case-insensitive, over name and description (of skills: triggers too), in linear time. */
export interface AgentFilter {
  readonly category?: Category | undefined
  readonly search?: string | undefined
}
export interface SkillFilter {
  readonly agent?: string | undefined
  readonly search?: string | undefined
}

/**
 * Agents, skills, hooks and rules that the caller's tenant sees: the gateway's own (bundled, then `agents.dirs`, a later one
 * replacing an earlier one of the same name), then what the tenant installed, which never hides one of the gateway. Lists are
 * sorted by name and have short forms; a single one is whole, or `undefined`.
 */
export interface Registry {
  agents(filter?: AgentFilter): Promise<Listed<AgentSummary>>
  agent(name: string): Promise<Agent | undefined>
  skills(filter?: SkillFilter): Promise<Listed<SkillSummary>>
  skill(name: string): Promise<Skill | undefined>
  hooks(): Promise<Listed<Hook>>
  hook(name: string): Promise<Hook | undefined>
  rules(filter?: { readonly category?: string | undefined }): Promise<Listed<RuleSummary>>
  rule(name: string): Promise<Rule | undefined>
  /** The rules and hooks, whole, that apply at a place. */
  guidance(place: Place): Promise<{ readonly rules: readonly Rule[]; readonly hooks: readonly Hook[] }>
}
export const registry = defineService<Registry>('agents.registry')

/**
 * Definitions that a tenant has installed, for its calls alone. `get` returns the caller's tenant's, whole. At most 1,000 of a
 * kind.
 */
export interface InstalledDefinitions {
  agents(): Promise<readonly Agent[]>
  agent(name: string): Promise<Agent | undefined>
  skills(): Promise<readonly Skill[]>
  skill(name: string): Promise<Skill | undefined>
}
export const installedDefinitions = defineContribution<InstalledDefinitions>('agents.installed')

export interface Invocation {
  readonly message: string
  /** Earlier turns, oldest first. */
  readonly history?: readonly ModelText[] | undefined
  /** Maximum tokens of each answer of the model. Default 4,096. */
  readonly maxTokens?: number | undefined
  /** A pin, as in `ModelRequest`. */
  readonly model?: string | undefined
  readonly tier?: Tier | undefined
  readonly workType?: WorkType | undefined
  /** The task that the work is for: its caps and those of its swarm apply. */
  readonly taskId?: string | undefined
  readonly channelType?: ChannelType | undefined
  /** Channel that is charged, as named in `budgets.channels`. */
  readonly channel?: string | undefined
  /** Trace that the spans of the calls join; by default the call starts its own trace. */
  readonly traceId?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Called before each further turn; a reason that it returns ends the invocation as a reached cap does. */
  readonly overBudget?: (() => Promise<string | undefined>) | undefined
  /** Same as in `ModelRequest`; each turn is an `attempt` of its own. The caller of the tool receives progress in any case. */
  readonly onDelta?: ((text: string, attempt: number) => void) | undefined
}
export interface AgentInvocation extends Invocation {
  readonly agent: string
  readonly repo?: string | undefined
  /** Requires `repo`. Adds what memory has of the repo and what is near the message. */
  readonly includeMemoryContext?: boolean | undefined
}
export interface SkillInvocation extends Invocation {
  readonly skill: string
}

/**
 * The result of an invocation. `text` is the model's last answer, `usage`, `hops` and `durationMs` are sums over all turns, and the model is
 * that of the last turn. `traceId`: trace that contains a span of each model call and tool call. `memoryChunks`: number of memory chunks that
 * were added.
 */
export interface Invoked extends Omit<Completion, 'toolCalls' | 'stopReason'> {
  /** `turns`, `budget`: ended by a limit before the model was done; `limit` says which. */
  readonly stopReason: Exclude<Completion['stopReason'], 'tools'> | 'turns' | 'budget'
  readonly limit?: Reached
  /** Number of model calls. */
  readonly turns: number
  /** Tool calls in order, also those that were refused. */
  readonly toolCalls: ToolUse[]
  readonly traceId: string
  readonly memoryChunks?: number
}

/**
 * Invokes an agent or a skill, for tools, schedules, sessions and dispatch cycles: the model is called until it asks for no
 * more tools. It is offered the tools that the definition of the agent lists, as far as the caller may call them; each is
 * called as the caller. Throws NOT_FOUND for an unknown name, BAD_REQUEST for memory without a repo, and the errors of
 * `models.complete`.
 */
export interface AgentRunner {
  invokeAgent(invocation: AgentInvocation): Promise<Invoked>
  invokeSkill(invocation: SkillInvocation): Promise<Invoked>
}
/** A tool that uses it lists `invocationErrors`. */
export const agentRunner = defineService<AgentRunner>('agents.runner')

export interface ChannelAdapter {
  readonly name: string
  readonly type: ChannelType
  readonly enabled: boolean
  readonly description?: string
}
/** Channels of a family, for `GET /api/channels`. Contains no secrets of their configuration. */
export interface Channels {
  list(): Promise<readonly ChannelAdapter[]>
}
export const channelAdapters = defineContribution<Channels>('agents.channels')

import type { ChannelType, Completion, ModelMessage, Tier, WorkType } from '@gateway/plugin-providers/api'
import { defineContribution, defineService } from '@gateway/sdk'
import type { Agent, AgentSummary, Category, Hook, Rule, RuleSummary, Skill, SkillSummary } from './schema.ts'

export { modelErrors as invocationErrors } from '@gateway/plugin-providers/api'
export type { Agent, AgentSummary, Category, Hook, Rule, RuleSummary, Skill, SkillSummary } from './schema.ts'

// ----------------------------------------------------------- registry ----

/** Where an answer comes from: the store, or the copy in memory that answers while the store cannot. */
export type Source = 'database' | 'memory'
export interface Listed<Item> {
  readonly source: Source
  readonly items: readonly Item[]
  /** Files of the folders that could not be read as such a definition. `gateway doctor` names them. */
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
 * Agents, skills, hooks and rules as the caller’s tenant has them: the gateway’s own (bundled, then `agents.dirs`, a later one of the same
 * name in place of an earlier), then what the tenant has installed, which never hides one of the gateway. Lists are by name and short
 * forms; a single one is whole, or `undefined`.
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
}
export const registry = defineService<Registry>('agents.registry')

/** What a tenant has installed: collected for its calls alone. `get` answers for the caller’s tenant, whole. At most 1,000 of a kind. */
export interface InstalledDefinitions {
  agents(): Promise<readonly Agent[]>
  agent(name: string): Promise<Agent | undefined>
  skills(): Promise<readonly Skill[]>
  skill(name: string): Promise<Skill | undefined>
}
export const installedDefinitions = defineContribution<InstalledDefinitions>('agents.installed')

// --------------------------------------------------------- invocation ----

export interface Invocation {
  readonly message: string
  /** Earlier turns, oldest first. */
  readonly history?: readonly ModelMessage[] | undefined
  /** Of the answer. Default 4,096. */
  readonly maxTokens?: number | undefined
  readonly tier?: Tier | undefined
  readonly workType?: WorkType | undefined
  readonly channelType?: ChannelType | undefined
  /** What is charged, as `budgets.channels` names it. */
  readonly channel?: string | undefined
  /** The trace that the span of the call joins; a trace of its own otherwise. */
  readonly traceId?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** As in `ModelRequest`. Whoever called the tool hears of progress in any case. */
  readonly onDelta?: ((text: string, attempt: number) => void) | undefined
}
export interface AgentInvocation extends Invocation {
  readonly agent: string
  readonly repo?: string | undefined
  /** Needs `repo`: what memory has of it, and is near the message, goes along. */
  readonly includeMemoryContext?: boolean | undefined
}
export interface SkillInvocation extends Invocation {
  readonly skill: string
}

/** `traceId`: where the span of the call stands. `memoryChunks`: how many pieces of memory went along. */
export interface Invoked extends Completion {
  readonly traceId: string
  readonly memoryChunks?: number
}

/**
 * Ask an agent or a skill for work: what the tools, schedules and sessions do. Throws NOT_FOUND for an unknown name, BAD_REQUEST for memory
 * without a repo, and what `models.complete` throws.
 */
export interface AgentRunner {
  invokeAgent(invocation: AgentInvocation): Promise<Invoked>
  invokeSkill(invocation: SkillInvocation): Promise<Invoked>
}
/** A tool that uses it lists `invocationErrors`. */
export const agentRunner = defineService<AgentRunner>('agents.runner')

// ----------------------------------------------------------- channels ----

/** A way by which people and programs reach agents. */
export interface ChannelAdapter {
  readonly name: string
  readonly type: ChannelType
  readonly enabled: boolean
  readonly description?: string
}
/** Channels of a family, for `GET /api/channels`. Nothing secret of their configuration. */
export interface Channels {
  list(): Promise<readonly ChannelAdapter[]>
}
export const channelAdapters = defineContribution<Channels>('agents.channels')

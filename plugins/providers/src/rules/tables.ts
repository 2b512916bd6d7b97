import type { ChannelType, ComplexityLevel, ProviderName, Tier, WorkType } from '../schema.ts'

/** Tiers from the cheapest up. `tier_x` and `tier_y` are not part of it: they are used only when named, and priced like premium and ultra. */
export const LADDER = ['budget', 'standard', 'premium', 'ultra'] as const satisfies readonly Tier[]

export const TIER_MEANS: Readonly<Record<Tier, string>> = {
  budget: 'Mechanical work: short answers, extraction, small talk.',
  standard: 'Everyday work with a clear goal.',
  premium: 'Work of many steps, and judging the work of others.',
  ultra: 'Work in which mistakes are costly: architecture, security.',
  tier_x: 'A model of your own choosing; without one, as premium.',
  tier_y: 'A model of your own choosing; without one, as ultra.',
}

export const WORK_TYPE_TIERS: Readonly<Record<WorkType, Tier>> = {
  'agentic-interactive': 'premium',
  'agentic-autonomous': 'premium',
  frontend: 'standard',
  backend: 'standard',
  docs: 'budget',
  chat: 'budget',
  research: 'standard',
  'code-review': 'premium',
  architecture: 'ultra',
  database: 'standard',
  security: 'ultra',
  'data-embeddings': 'budget',
  'summarize-extract': 'budget',
}

export const COMPLEXITY_TIERS: Readonly<Record<ComplexityLevel, Tier>> = {
  trivial: 'budget',
  low: 'budget',
  standard: 'standard',
  high: 'premium',
  critical: 'ultra',
}

/** Complexity from which work gets the next higher tier. */
export const COMPLEX_FROM = 0.8

/** Tables, in addition to the three above, that settings can change. */
export interface Tables {
  readonly default: Tier
  readonly tools: Readonly<Record<string, Tier>>
  readonly agents: Readonly<Record<string, Tier>>
  readonly channels: Readonly<Partial<Record<ChannelType, Tier>>>
}
export const TABLES: Tables = {
  default: 'standard',
  tools: { morning_sweep: 'standard', session_recall: 'budget' },
  agents: {},
  channels: { chat_channel: 'budget', scheduler: 'standard', mcp: 'standard', websocket: 'standard' },
}

export interface Route {
  readonly provider: ProviderName
  /** Further models, which may be named and belong to no tier. */
  readonly others?: readonly string[]
  readonly models: Readonly<Partial<Record<Tier, string>>>
}

import { CHANNEL_TYPES, completionFields, TIERS } from '@gateway/plugin-providers/api'
import { closed, type Infer, nonBlankText, Type } from '@gateway/sdk'

/** The ninth category is for agents that work on code hosting. */
export const CATEGORIES = ['core', 'swarm', 'dev', 'analysis', 'neural', 'ops', 'data', 'content', 'code_hosting'] as const
export type Category = (typeof CATEGORIES)[number]

/** Origin of a definition: bundled with the gateway, from a folder of the operator, or installed by the tenant. */
const origin = Type.Enum(['bundled', 'folder', 'installed'])

const agentFields = {
  name: Type.String(),
  category: Type.Enum(CATEGORIES),
  description: Type.String(),
  toolCount: Type.Integer({ description: 'Tools that it works with.' }),
  tier: Type.Optional(Type.Enum(TIERS, { description: 'The tier of model it asks for.' })),
  origin,
}
/** An agent in a list. */
export const AgentSummary = Type.Object(agentFields, closed)
export type AgentSummary = Infer<typeof AgentSummary>
export const Agent = Type.Object(
  {
    ...agentFields,
    tools: Type.Array(Type.String()),
    standing: Type.Boolean({ description: 'Meant to run by itself, on a schedule.' }),
    instructions: Type.String({ description: 'Its system prompt, Markdown.' }),
  },
  closed,
)
export type Agent = Infer<typeof Agent>

const skillFields = {
  name: Type.String(),
  description: Type.String(),
  triggers: Type.Array(Type.String(), { description: 'Words that call for it.' }),
  agent: Type.Optional(Type.String({ description: 'The agent it belongs to.' })),
  origin,
}
/** A skill in a list. */
export const SkillSummary = Type.Object(skillFields, closed)
export type SkillSummary = Infer<typeof SkillSummary>
export const Skill = Type.Object({ ...skillFields, playbook: Type.String({ description: 'What to do, Markdown.' }) }, closed)
export type Skill = Infer<typeof Skill>

/** Instructions for an agent's client when an event occurs. */
export const Hook = Type.Object(
  {
    name: Type.String(),
    event: Type.String({ description: 'When: session-start, before-claim, after-task …' }),
    description: Type.String(),
    tools: Type.Array(Type.String()),
    origin,
    content: Type.String({ description: 'What to do then, Markdown.' }),
  },
  closed,
)
export type Hook = Infer<typeof Hook>

const ruleFields = { name: Type.String(), category: Type.String(), description: Type.String(), origin }
/** A rule in a list. */
export const RuleSummary = Type.Object(ruleFields, closed)
export type RuleSummary = Infer<typeof RuleSummary>
export const Rule = Type.Object({ ...ruleFields, content: Type.String({ description: 'The rule, Markdown.' }) }, closed)
export type Rule = Infer<typeof Rule>

// ------------------------------------------------ arguments and answers ----

export const source = Type.Enum(['database', 'memory'], { description: 'Who answered: the store, or the copy in memory.' })
export const leftOut = Type.Integer({
  minimum: 0,
  description: 'Files in the operator’s folders that could not be read; GET /api/doctor says why.',
})
export const searchArgument = Type.Optional(
  Type.String({ maxLength: 200, description: 'A regular expression in RE2’s syntax, in whatever case, over names and descriptions.' }),
)
export const message = nonBlankText(100_000, { description: 'The task.' })
export const maxTokens = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 200_000, default: 4_096, description: 'Of the answer; beyond it, it is cut off.' }),
)
/** Fields of an invocation's answer, without the name invoked. */
export const invokedFields = {
  text: Type.String({ description: 'The answer.' }),
  ...completionFields,
  traceId: Type.String({ description: 'Its span stands in this trace.' }),
}
export const nameArgument = Type.String({ minLength: 1, maxLength: 200 })
export const Channel = Type.Object(
  {
    name: Type.String(),
    type: Type.Enum(CHANNEL_TYPES),
    enabled: Type.Boolean(),
    description: Type.Optional(Type.String()),
  },
  closed,
)

import { CHANNEL_TYPES, completionFields, TIERS, WORK_TYPES } from '@gateway/plugin-providers/api'
import { closed, type Infer, nonBlankText, Type } from '@gateway/sdk'

/** The ninth category is for agents that work on code hosting. */
export const CATEGORIES = ['core', 'swarm', 'dev', 'analysis', 'neural', 'ops', 'data', 'content', 'code_hosting'] as const
export type Category = (typeof CATEGORIES)[number]

/** Origin of a definition: bundled with the gateway, from a folder of the operator, or installed by the tenant. */
const origin = Type.Enum(['bundled', 'folder', 'installed'])

/** Place where an agent does its tasks: in the gateway, because its result is text, or at a runner with a work tree. */
export const RUNS = ['here', 'runner'] as const
export type Runs = (typeof RUNS)[number]
/** Place where a rule or a hook takes effect: the system prompt of each invocation, or the text with which a client begins. */
export const PLACES = ['invocation', 'boot'] as const
export type Place = (typeof PLACES)[number]
const applies = Type.Array(Type.Enum(PLACES), {
  description: 'invocation: in the system prompt of every agent and skill; boot: in the text that clients get when a session begins.',
})

const agentFields = {
  name: Type.String(),
  category: Type.Enum(CATEGORIES),
  description: Type.String(),
  toolCount: Type.Integer({ description: 'Number of tools it may call.' }),
  tier: Type.Optional(Type.Enum(TIERS, { description: 'Model tier it asks for.' })),
  runs: Type.Enum(RUNS, { description: 'here: dispatch_cycle executes its tasks; runner: its tasks wait for a runner.' }),
  origin,
}
export const AgentSummary = Type.Object(agentFields, closed)
export type AgentSummary = Infer<typeof AgentSummary>
export const Agent = Type.Object(
  {
    ...agentFields,
    tools: Type.Array(Type.String()),
    workType: Type.Optional(Type.Enum(WORK_TYPES, { description: 'Work type of its tasks.' })),
    standing: Type.Boolean({ description: 'Meant to run on a schedule.' }),
    instructions: Type.String({ description: 'System prompt, Markdown.' }),
  },
  closed,
)
export type Agent = Infer<typeof Agent>

const skillFields = {
  name: Type.String(),
  description: Type.String(),
  triggers: Type.Array(Type.String(), { description: 'Words that indicate this skill.' }),
  agent: Type.Optional(Type.String({ description: 'Agent that the skill belongs to.' })),
  origin,
}
export const SkillSummary = Type.Object(skillFields, closed)
export type SkillSummary = Infer<typeof SkillSummary>
export const Skill = Type.Object({ ...skillFields, playbook: Type.String({ description: 'Instructions, Markdown.' }) }, closed)
export type Skill = Infer<typeof Skill>

/** Instructions for an agent's client when an event occurs. */
export const Hook = Type.Object(
  {
    name: Type.String(),
    event: Type.String({ description: 'Event: session-start, before-claim, after-task …' }),
    description: Type.String(),
    tools: Type.Array(Type.String()),
    applies,
    origin,
    content: Type.String({ description: 'Instructions for this event, Markdown.' }),
  },
  closed,
)
export type Hook = Infer<typeof Hook>

const ruleFields = { name: Type.String(), category: Type.String(), description: Type.String(), applies, origin }
export const RuleSummary = Type.Object(ruleFields, closed)
export type RuleSummary = Infer<typeof RuleSummary>
export const Rule = Type.Object({ ...ruleFields, content: Type.String({ description: 'Text of the rule, Markdown.' }) }, closed)
export type Rule = Infer<typeof Rule>

export const source = Type.Enum(['database', 'memory'], { description: 'Origin of the answer: the store, or the copy in memory.' })
export const leftOut = Type.Integer({
  minimum: 0,
  description: 'Files in the operator’s folders that could not be read; GET /api/doctor gives the reasons.',
})
export const searchArgument = Type.Optional(
  Type.String({
    maxLength: 200,
    description: 'A regular expression in RE2’s syntax, matched against names and descriptions; case is ignored.',
  }),
)
export const message = nonBlankText(100_000, { description: 'The task.' })
export const maxTokens = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 200_000,
    default: 4_096,
    description: 'Maximum length of the answer in tokens; a longer one is cut off.',
  }),
)
export const ToolUse = Type.Object(
  { tool: Type.String(), error: Type.Optional(Type.String({ description: 'Error code that the model received.' })) },
  closed,
)
export type ToolUse = Infer<typeof ToolUse>
export const Reached = Type.Object(
  {
    code: Type.Enum(['MAX_TURNS', 'BUDGET_EXCEEDED']),
    message: Type.String(),
    details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  closed,
)
export type Reached = Infer<typeof Reached>
export const invokedFields = {
  text: Type.String({ description: 'The answer.' }),
  ...completionFields,
  stopReason: Type.Enum(['end', 'length', 'filtered', 'turns', 'budget'], {
    description: 'length: cut off at maxTokens; turns, budget: a limit ended it early.',
  }),
  limit: Type.Optional(Reached),
  turns: Type.Integer({ description: 'Number of model calls.' }),
  toolCalls: Type.Array(ToolUse, { description: 'Tools it called, in order.' }),
  traceId: Type.String({ description: 'Trace with its model and tool calls.' }),
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

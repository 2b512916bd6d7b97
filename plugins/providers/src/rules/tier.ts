import type { RoutingQuery, RoutingRule } from '../api.ts'
import type { Mode, Tier } from '../schema.ts'
import { COMPLEX_FROM, COMPLEXITY_TIERS, LADDER, type Tables, WORK_TYPE_TIERS } from './tables.ts'

export interface TierDecision {
  readonly tier: Tier
  readonly mode: Mode
  readonly rule: RoutingRule
  readonly reason: string
  readonly upgradedFrom?: Tier
  readonly downgradedFrom?: Tier
}

export const rungOf = (tier: Tier): number => (tier === 'tier_x' ? 2 : tier === 'tier_y' ? 3 : LADDER.indexOf(tier))

/**
 * Decides the tier of work and the rule that chose it, for routing_info and every call alike. The first of tier, work type,
 * complexity level, tool, agent and channel that is given and has an entry decides; then complexity may raise the tier, and a budget lower it.
 */
export function decideTier(query: RoutingQuery, tables: Tables, advice: { downgrade: boolean; reason?: string | undefined }): TierDecision {
  const mode = query.mode ?? (query.channelType === 'scheduler' ? 'runner' : 'interactive')
  const named = byTable(query, tables)
  const { rule } = named
  let { tier, reason } = named
  let moved: Pick<TierDecision, 'upgradedFrom' | 'downgradedFrom'> = {}
  if (rule !== 'tier' && (query.complexity ?? 0) >= COMPLEX_FROM && step(tier, 1) !== tier) {
    moved = { upgradedFrom: tier }
    tier = step(tier, 1)
    reason += ` Complexity ${query.complexity} lifts it to ${tier}.`
  }
  if (advice.downgrade && step(tier, -1) !== tier) {
    moved = { ...moved, downgradedFrom: tier }
    tier = step(tier, -1)
    reason += ` ${advice.reason ?? 'The budget runs short.'} Lowered to ${tier}.`
  }
  return { tier, mode, rule, reason, ...moved }
}

function byTable(query: RoutingQuery, tables: Tables): { tier: Tier; rule: RoutingRule; reason: string } {
  const { tier, workType, complexityLevel, tool, agent, channelType } = query
  if (tier !== undefined) return { tier, rule: 'tier', reason: `The tier ${tier} was asked for.` }
  if (workType !== undefined) return found('workType', WORK_TYPE_TIERS[workType], `Work of the type ${workType}`)
  if (complexityLevel !== undefined) {
    return found('complexityLevel', COMPLEXITY_TIERS[complexityLevel], `Complexity ${complexityLevel}`)
  }
  const ofTool = entry(tables.tools, tool)
  if (ofTool) return found('tool', ofTool, `The tool ${tool}`)
  const ofAgent = entry(tables.agents, agent)
  if (ofAgent) return found('agent', ofAgent, `The agent ${agent}`)
  const ofChannel = entry(tables.channels, channelType)
  if (ofChannel) return found('channel', ofChannel, `The channel ${channelType}`)
  return { tier: tables.default, rule: 'default', reason: `Nothing names a tier: ${tables.default} is the default.` }
}

const found = (rule: RoutingRule, tier: Tier, what: string) => ({ tier, rule, reason: `${what} takes the tier ${tier}.` })

/** Names come from callers: `constructor` is not an entry. */
const entry = (table: Readonly<Record<string, Tier | undefined>>, name: string | undefined): Tier | undefined =>
  name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined

/** The next tier up or down; the same tier at the end of the ladder. */
function step(tier: Tier, by: 1 | -1): Tier {
  const rung = rungOf(tier) + by
  return LADDER[rung] ?? tier
}

import { type CallContext, gatewayWide, type Resolved, Unavailable } from '@gateway/sdk'
import { agentTiers, type Payer, type RoutingDecision, type RoutingQuery, spendGuard } from '../api.ts'
import { experiences, states } from '../collections.ts'
import { byExperience } from '../rules/by-experience.ts'
import { type Candidate, candidatesFor, candidatesOf } from '../rules/candidates.ts'
import { decideTier, type TierDecision } from '../rules/tier.ts'
import type { Tier } from '../schema.ts'
import { pool, SETTING, type SkippedProvider } from './provider-pool.ts'
import { sharedState } from './shared-state.ts'
import { advise } from './spending.ts'

export const routeUses = {
  pool,
  shared: sharedState,
  wide: gatewayWide(states),
  experiences: gatewayWide(experiences),
  guards: spendGuard,
  tiers: agentTiers,
}
type Refs = Resolved<typeof routeUses>

/** A tier, and who may take it, the first one first. */
export interface Decision {
  readonly decided: TierDecision
  readonly candidates: readonly Candidate[]
}

/** The one way a model is chosen, for routing_info and for every call. */
export async function decide(refs: Refs, query: RoutingQuery, payer: Payer, ctx: CallContext): Promise<Decision> {
  await refs.shared.refresh(refs.wide, ctx)
  const [advice, tables] = await Promise.all([
    advise(refs.guards, { ...payer, agent: query.agent, taskId: query.taskId }),
    tablesFor(refs, query.agent),
  ])
  const decided = decideTier(query, tables, advice)
  if (query.model !== undefined) return pinned(refs, query.model, decided)
  return ordered(refs, { decided, candidates: candidatesFor(decided.tier, refs.pool.chain(decided.mode)) }, ctx)
}

async function ordered({ pool, experiences }: Pick<Refs, 'pool' | 'experiences'>, decision: Decision, ctx: CallContext): Promise<Decision> {
  if (pool.settings.routing.order !== 'experience') return decision
  const now = ctx.now().getTime()
  if (pool.experience.shouldRead(now)) await readExperience({ pool, experiences }, ctx)
  const { candidates, why } = byExperience(decision.candidates, ({ provider, model }) => ({
    price: pool.priceAt(provider, model),
    success: pool.experience.of(provider, model, now),
  }))
  const { decided } = decision
  return { candidates, decided: why === undefined ? decided : { ...decided, reason: `${decided.reason} ${why}` } }
}

const MAX_EXPERIENCES = 1_000

/** Reads the experience of all nodes. While the store does not answer, that of this process stays valid. */
async function readExperience({ pool, experiences }: Pick<Refs, 'pool' | 'experiences'>, { log }: CallContext): Promise<void> {
  try {
    pool.experience.read((await experiences.find({ limit: MAX_EXPERIENCES })).items)
  } catch (error) {
    log.warn('the experience with models could not be read', { err: error })
  }
}

/** A pinned model is asked whatever its tier; a provider that is named with it is the only one. */
function pinned({ pool }: Pick<Refs, 'pool'>, model: string, { mode }: TierDecision): Decision {
  const candidates = candidatesOf(model, pool.chain(mode))
  const [first] = candidates
  if (!first) throw noneHas(model)
  const { tier } = first
  const decided = { tier, mode, rule: 'model', reason: `The model ${first.model} was asked for.` } as const
  return { decided, candidates }
}

const noneHas = (model: string): Error =>
  Unavailable({
    setting: SETTING,
    message: `No provider has the model ${JSON.stringify(model)}: add it to the models of one in ${SETTING}.`,
  })

/** The routing tables with the tier of one agent added; the settings take precedence. */
async function tablesFor({ pool, tiers }: Refs, agent: string | undefined) {
  if (agent === undefined || Object.hasOwn(pool.tables.agents, agent)) return pool.tables
  const found = await Promise.all(tiers.map((one) => one.tierOf(agent)))
  const tier = found.find((one) => one !== undefined)
  return tier === undefined ? pool.tables : { ...pool.tables, agents: { ...pool.tables.agents, [agent]: tier } }
}

export async function allAgentTiers({ pool, tiers }: Refs): Promise<Readonly<Record<string, Tier>>> {
  const known = await Promise.all(tiers.map((one) => one.all()))
  return Object.assign({}, ...known, pool.tables.agents)
}

/** Describes the routing of a call that goes to `candidate`; the providers in `passed` failed before it, or take no calls. */
export function routingOf(
  { decided, candidates }: Decision,
  { provider, model }: Candidate,
  passed: readonly SkippedProvider[],
): RoutingDecision {
  const first = candidates[0]
  if (!first || first.provider === provider) return { provider, model, ...decided }
  const failoverReason = passed.find((one) => one.provider === first.provider)?.says ?? 'it accepts no calls now'
  const reason = `${decided.reason} ${first.provider} comes first, but ${failoverReason}: ${provider}.`
  return { provider, model, ...decided, reason, failoverFrom: first.provider, failoverReason }
}

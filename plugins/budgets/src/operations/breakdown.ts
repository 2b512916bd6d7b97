import { type CallContext, DAY_MS, keyLabels, type Period, type Resolved, readPeriod, splitPeriod, tenantAdmin } from '@gateway/sdk'
import { spend, sums } from '../collections.ts'
import { dayOf, dayResetsAt } from '../rules/meters.ts'
import { usdOf } from '../rules/money.ts'
import { type Figures, merge, top } from '../rules/parts.ts'
import { type BudgetBreakdown, type Dimension, memberOf } from '../schema.ts'

export const breakdownUses = { spend, sums, tenants: tenantAdmin }
type Refs = Resolved<typeof breakdownUses>

const SUMMED = ['nanos', 'inputTokens', 'outputTokens'] as const

/** Whole days come from their sums; rows are added only for the partial first and last day of a period. */
export async function breakdown(
  refs: Refs,
  asked: { from?: string | undefined; to?: string | undefined },
  ctx: CallContext,
): Promise<BudgetBreakdown> {
  const now = ctx.now()
  const { from, to } = readPeriod(asked, now)
  // No record exists after now, so a period that includes now takes today as a whole. A `to` that was given is exclusive.
  const includesNow = from <= now && (asked.to === undefined || to > now)
  const until = includesNow ? new Date(Math.max(to.getTime(), Date.parse(dayResetsAt(now)))) : to
  const by = async (dimension: Dimension) => merge(await figures(refs, dimension, { from, to: until }))
  const [provider, model, channel, member, agent, task, swarm] = await Promise.all([
    by('provider'),
    by('model'),
    by('channel'),
    by('member'),
    by('agent'),
    by('task'),
    by('swarm'),
  ])
  const labels = await keyLabels(refs.tenants, ctx.tenantId)
  const all = [...provider.values()]
  const part = <K extends string>(name: K, parts: ReadonlyMap<string, Figures>) =>
    top(parts).map(([value, { nanos, ...rest }]) => ({ [name]: value, costUsd: usdOf(nanos), ...rest }) as never)
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    totalUsd: usdOf(all.reduce((sum, { nanos }) => sum + nanos, 0)),
    calls: all.reduce((sum, { calls }) => sum + calls, 0),
    byProvider: part('provider', provider),
    byModel: part('model', model),
    byChannel: part('channel', channel),
    // Keys are named by their labels, which a key and its successor share.
    byAgent: part('agent', agent),
    byTask: part('task', task),
    bySwarm: part('swarm', swarm),
    byMember: part('member', merge([...member].map(([id, one]) => [labels.get(id) ?? id, one] as const))),
  }
}

async function figures(
  { spend, sums }: Pick<Refs, 'spend' | 'sums'>,
  dimension: Dimension,
  period: Period,
): Promise<readonly (readonly [string, Figures])[]> {
  const { whole, edges } = splitPeriod(period, DAY_MS)
  const found: (readonly [string, Figures])[] = []
  if (whole) {
    const day = { gte: dayOf(whole.from), lt: dayOf(whole.to) }
    for (const { key, sums: s } of await sums.group({ where: { dimension, day }, by: ['value'], sum: [...SUMMED, 'calls'] }))
      found.push([String(key[0]), figuresOf(s, s.calls ?? 0)])
  }
  for (const { from, to } of edges) {
    const createdAt = { gte: from.toISOString(), lt: to.toISOString() }
    // A row without the value is skipped; an agent, a task and a swarm may be absent, the other dimensions never are.
    for (const { key, count, sums: s } of await spend.group({ where: { createdAt }, by: [memberOf(dimension)], sum: SUMMED }))
      if (typeof key[0] === 'string') found.push([String(key[0]), figuresOf(s, count)])
  }
  return found
}

function figuresOf({ nanos = 0, inputTokens = 0, outputTokens = 0 }: Readonly<Record<string, number>>, calls: number): Figures {
  return { nanos, calls, inputTokens, outputTokens }
}

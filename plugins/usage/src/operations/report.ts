import { type CallContext, keyLabels, type Period, type Resolved, readPeriod, tenantAdmin } from '@gateway/sdk'
import { counts } from '../collections.ts'
import { config } from '../config.ts'
import { bucketsOf, dayOf, greatest, inOrder, sumOf, wholeHours } from '../rules/report.ts'
import type { Counts } from '../rules/tally.ts'
import type { Dimension, GROUPS, UsageBreakdown, UsageSummary } from '../schema.ts'

export const reportUses = { counts, config, tenants: tenantAdmin }
type Refs = Resolved<typeof reportUses>
interface Asked {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export async function summary(
  refs: Refs,
  asked: Asked & { groupBy?: (typeof GROUPS)[number] | undefined },
  ctx: CallContext,
): Promise<UsageSummary> {
  const { groupBy = 'type' } = asked
  const { period, head } = begin(refs, asked, ctx)
  const found = groupBy === 'day' ? await byDay(refs, period) : await byValue(refs, groupBy, period)
  const rows = groupBy === 'day' ? inOrder(found) : greatest(found)
  return { ...head, groupBy, totals: rows.map(([key, quantity]) => ({ key, quantity })), total: sumOf(found) }
}

export async function breakdown(refs: Refs, asked: Asked, ctx: CallContext): Promise<UsageBreakdown> {
  const { period, head } = begin(refs, asked, ctx)
  const [tool, member, repo, day] = await Promise.all([
    byValue(refs, 'tool', period),
    byValue(refs, 'member', period),
    byValue(refs, 'repo', period),
    byDay(refs, period),
  ])
  const labels = await keyLabels(refs.tenants, ctx.tenantId)
  return {
    ...head,
    total: sumOf(day),
    byTool: greatest(tool).map(([tool, quantity]) => ({ tool, quantity })),
    byMember: greatest(named(member, labels)).map(([member, quantity]) => ({ member, quantity })),
    byRepo: greatest(repo).map(([repo, quantity]) => ({ repo, quantity })),
    byDay: inOrder(day).map(([day, quantity]) => ({ day, quantity })),
  }
}

/** The counted hours; undefined while nothing is metered. */
function begin({ config }: Refs, asked: Asked, ctx: CallContext) {
  const asFar = readPeriod(asked, ctx.now())
  // A period up to now includes this moment.
  const { from, to } = wholeHours(asked.to === undefined ? { from: asFar.from, to: new Date(asFar.to.getTime() + 1) } : asFar)
  const { metering } = config
  return { period: metering ? { from, to } : { from, to: from }, head: { from: from.toISOString(), to: to.toISOString(), metering } }
}

async function byValue({ counts }: Pick<Refs, 'counts'>, dimension: Dimension, period: Period): Promise<Counts> {
  const found = new Map<string, number>()
  for (const { span, gte, lt } of bucketsOf(period)) {
    const where = { span, dimension, bucket: { gte, lt } }
    for (const { key, sums } of await counts.group({ where, by: ['value'], sum: ['quantity'] })) addTo(found, String(key[0]), sums.quantity)
  }
  return found
}

/** Over all types: each call has one. */
async function byDay({ counts }: Pick<Refs, 'counts'>, period: Period): Promise<Counts> {
  const found = new Map<string, number>()
  for (const { span, gte, lt } of bucketsOf(period)) {
    const where = { span, dimension: 'type', bucket: { gte, lt } } as const
    for (const { key, sums } of await counts.group({ where, by: ['bucket'], sum: ['quantity'] }))
      addTo(found, String(key[0]).slice(0, dayOf(period.from).length), sums.quantity)
  }
  return found
}

/** The counts with keys named by their labels, which a key and its successor share. */
function named(counts: Counts, labels: ReadonlyMap<string, string>): Counts {
  const found = new Map<string, number>()
  for (const [id, quantity] of counts) addTo(found, labels.get(id) ?? id, quantity)
  return found
}

function addTo(counts: Map<string, number>, key: string, quantity = 0): void {
  counts.set(key, (counts.get(key) ?? 0) + quantity)
}

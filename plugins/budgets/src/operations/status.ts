import { type CallContext, type Resolved, startOfMonth } from '@gateway/sdk'
import { meters } from '../collections.ts'
import { type Cap, capsFor, meterIn, standing, tightest, worst } from '../rules/caps.ts'
import { dayResetsAt, meterIds, meterKinds, monthResetsAt } from '../rules/meters.ts'
import { nanosOf, usdOf } from '../rules/money.ts'
import { nearCaps, worstOf } from '../rules/near-caps.ts'
import { EACH, METERED, type Scope } from '../rules/scope.ts'
import type { BudgetStatus, Meter } from '../schema.ts'
import { planOf, planUses } from './plan-of.ts'

export const statusUses = { meters, ...planUses }
type Refs = Resolved<typeof statusUses>
type Meters = ReadonlyMap<string, Meter>

/** Reads only the meters, so the cost does not depend on the spending. */
export async function status(refs: Refs, ctx: CallContext): Promise<BudgetStatus> {
  const { meters, config } = refs
  const scope: Scope = { tenantId: ctx.tenantId, plan: config.enabled ? await planOf(refs, ctx.tenantId) : undefined }
  const time = ctx.now()
  const channels = Object.keys(config.channels)
  const each = config.enabled ? await readMeters(() => costliest(refs, time), ctx) : undefined
  const named = [...namedCaps(config, time, scope), ...capsOfEach(config, time, [...(each?.values() ?? [])])]
  const channelIds = [...channels, ''].flatMap((channel) => Object.values(meterIds(time, channel)))
  const ids = [...new Set([...channelIds, ...named.map(({ meterId }) => meterId)])]
  const read = config.enabled ? await readMeters(() => meters.getMany(ids), ctx) : new Map()
  return statusOf(config, { time, scope, named }, read)
}

/** Undefined if the store does not answer: dashboards then say so instead of failing. */
async function readMeters(read: () => Promise<readonly Meter[]>, { log }: CallContext): Promise<Meters | undefined> {
  try {
    return new Map((await read()).map((meter) => [meter.meterId, meter]))
  } catch (error) {
    log.warn('the store did not answer; spend shows as zero', { err: error })
    return undefined
  }
}

/** Settings in which only the caps that are added apply. */
const NO_OTHER_CAPS = { downgradeAt: 1, channels: {} }

/** The caps of the tenant, its plan, and of every key, agent, task, swarm and model that has one. */
function namedCaps(config: Refs['config'], time: Date, scope: Scope): readonly Cap[] {
  const metered = METERED.flatMap(({ dimension, setting }) =>
    Object.keys(config[setting])
      .filter((value) => value !== EACH)
      .flatMap((value) => capsFor({ ...NO_OTHER_CAPS, [setting]: config[setting] }, time, { [dimension]: value })),
  )
  const { tenants, plans } = config
  return [...metered, ...capsFor({ ...NO_OTHER_CAPS, tenants, plans }, time, scope)]
}
const SHOWN_OF_EACH = 10

/** Meters of the costliest names to which an entry `*` applies. */
async function costliest({ meters, config }: Refs, time: Date): Promise<readonly Meter[]> {
  const kinds = METERED.flatMap(({ dimension, setting }) => {
    const { monthlyCapUsd, dailyCapUsd } = config[setting][EACH] ?? {}
    const { month, day } = meterKinds(time, dimension)
    return [...(monthlyCapUsd === undefined ? [] : [month]), ...(dailyCapUsd === undefined ? [] : [day])]
  })
  const found = kinds.map((kind) => meters.find({ where: { kind }, sort: { spentNanos: -1 }, limit: SHOWN_OF_EACH }))
  return (await Promise.all(found)).flatMap(({ items }) => items)
}

/** The caps by which the entries `*` apply to these meters. */
function capsOfEach(config: Refs['config'], time: Date, meters: readonly Meter[]): readonly Cap[] {
  const known = new Set(meters.map(({ meterId }) => meterId))
  return METERED.flatMap(({ dimension, setting }) => {
    const { month, day } = meterKinds(time, dimension)
    const values = new Set(meters.flatMap(({ kind, value }) => (value !== undefined && (kind === month || kind === day) ? [value] : [])))
    return [...values]
      .filter((value) => !Object.hasOwn(config[setting], value))
      .flatMap((value) => capsFor({ ...NO_OTHER_CAPS, [setting]: config[setting] }, time, { [dimension]: value }))
      .filter(({ meterId }) => known.has(meterId))
  })
}

interface Looked {
  readonly time: Date
  readonly scope: Scope
  readonly named: readonly Cap[]
}

function statusOf(config: Refs['config'], { time, scope, named }: Looked, read: Meters | undefined): BudgetStatus {
  const known: Meters = read ?? new Map()
  const { enabled, downgradeAt, channels } = config
  const { monthly, daily } = tightest(config, time, scope)
  const [monthlyCapUsd, dailyCapUsd] = [monthly?.capUsd, daily?.capUsd]
  const ids = meterIds(time, '')
  const month = meterIn(known, ids.month)
  const resetsAt = monthResetsAt(startOfMonth(time))
  const downgradeUsd = (cap: number): number => usdOf(nanosOf(cap * downgradeAt))
  const orNull = (cap: number | undefined, of = (usd: number): number => usd): number | null => (cap === undefined ? null : of(cap))
  const standings = enabled ? worst(capsFor(config, time, scope), known, downgradeAt) : ({ state: 'ok' } as const)
  const byChannel = Object.entries(channels).map(([channel, { monthlyCapUsd }]) => {
    const { spentNanos, heldNanos } = meterIn(known, meterIds(time, channel).channel)
    const [cap] = capsFor({ downgradeAt, channels }, time, { channel })
    return {
      channel,
      monthToDateUsd: usdOf(spentNanos),
      heldUsd: usdOf(heldNanos),
      monthlyCapUsd,
      monthlyDowngradeUsd: downgradeUsd(monthlyCapUsd),
      state: enabled && cap ? standing(cap, known, downgradeAt) : 'ok',
    } as const
  })
  const caps = named.map((cap) => {
    const { spentNanos, heldNanos } = meterIn(known, cap.meterId)
    const state = enabled ? standing(cap, known, downgradeAt) : ('ok' as const)
    const { name, capUsd, resetsAt } = cap
    return { cap: name, capUsd, spentUsd: usdOf(spentNanos), heldUsd: usdOf(heldNanos), state, resetsAt }
  })
  return {
    enabled,
    available: read !== undefined,
    monthToDateUsd: usdOf(month.spentNanos),
    todayUsd: usdOf(meterIn(known, ids.day).spentNanos),
    heldUsd: usdOf(month.heldNanos),
    monthlyCapUsd: orNull(monthlyCapUsd),
    dailyCapUsd: orNull(dailyCapUsd),
    downgradeAt,
    monthlyDowngradeUsd: orNull(monthlyCapUsd, downgradeUsd),
    dailyDowngradeUsd: orNull(dailyCapUsd, downgradeUsd),
    ...standings,
    worstState: worstOf([standings.state, ...nearCaps({ channels: byChannel, caps, monthResetsAt: resetsAt }).map(({ state }) => state)]),
    monthResetsAt: resetsAt,
    dayResetsAt: dayResetsAt(time),
    ...(byChannel.length > 0 && { channels: byChannel }),
    ...(caps.length > 0 && { caps }),
  }
}

import { defined } from '@gateway/sdk'
import type { Meter } from '../schema.ts'
import { dayResetsAt, dimensionMeterIds, meterIds, monthResetsAt } from './meters.ts'
import { nanosOf, usdOf } from './money.ts'
import { EACH, METERED, type Scope, WHOLE } from './scope.ts'

export interface CapPair {
  readonly monthlyCapUsd?: number | undefined
  readonly dailyCapUsd?: number | undefined
}
export type CapTable = Readonly<Record<string, CapPair>>

export interface CapSettings {
  readonly keys?: CapTable
  readonly agents?: CapTable
  readonly tasks?: CapTable
  readonly swarms?: CapTable
  readonly models?: CapTable
  readonly tenants?: CapTable
  readonly plans?: CapTable
  readonly monthlyCapUsd?: number | undefined
  readonly dailyCapUsd?: number | undefined
  readonly downgradeAt: number
  readonly channels: Readonly<Record<string, { readonly monthlyCapUsd: number }>>
}

export interface Cap {
  /** Name in the settings; with the name it applies to, if that has no entry of its own. */
  readonly name: string
  readonly capUsd: number
  readonly meterId: string
  readonly resetsAt: string
}

export type Standing = 'ok' | 'downgrade' | 'exceeded'

const own = <T>(table: Readonly<Record<string, T>> | undefined, name: string | undefined): T | undefined =>
  table !== undefined && name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined

/** The caps of one entry of a setting: of its month, then of its day. */
function pairOf(name: string, caps: CapPair | undefined, ids: { month: string; day: string }, time: Date): Cap[] {
  const { monthlyCapUsd, dailyCapUsd } = caps ?? {}
  return [
    ...(monthlyCapUsd === undefined
      ? []
      : [{ name: `${name}monthlyCapUsd`, capUsd: monthlyCapUsd, meterId: ids.month, resetsAt: monthResetsAt(time) }]),
    ...(dailyCapUsd === undefined
      ? []
      : [{ name: `${name}dailyCapUsd`, capUsd: dailyCapUsd, meterId: ids.day, resetsAt: dayResetsAt(time) }]),
  ]
}

/** The caps that apply to a call at this time, in the order in which a refusal names them: key, agent, task, swarm, model, tenant, plan, the rest. */
export function capsFor(settings: CapSettings, time: Date, scope: Scope = {}): readonly Cap[] {
  const { channels } = settings
  const { channel } = scope
  const ids = meterIds(time, channel ?? '')
  const metered = METERED.flatMap(({ dimension, setting }) => {
    const value = scope[dimension]
    if (value === undefined) return []
    const ids = dimensionMeterIds(time, dimension, value)
    const caps = own(settings[setting], value)
    if (caps) return pairOf(`${setting}.${value}.`, caps, ids, time)
    const ofEach = pairOf(`${setting}.${EACH}.`, own(settings[setting], EACH), ids, time)
    return ofEach.map((cap) => ({ ...cap, name: `${cap.name} of ${value}` }))
  })
  const whole = WHOLE.flatMap(({ dimension, setting }) =>
    pairOf(`${setting}.${scope[dimension]}.`, own(settings[setting], scope[dimension]), ids, time),
  )
  const ofChannel = own(channels, channel)?.monthlyCapUsd
  const caps: Cap[] = [...metered, ...whole, ...pairOf('', settings, ids, time)]
  if (ofChannel !== undefined) {
    const name = `channels.${channel}.monthlyCapUsd`
    caps.push({ name, capUsd: ofChannel, meterId: ids.channel, resetsAt: monthResetsAt(time) })
  }
  return caps
}

/** The tightest cap of a month and of a day on all spending of a tenant: of the tenant, its plan and the gateway. */
export function tightest(settings: CapSettings, time: Date, { tenantId, plan }: Scope): { readonly monthly?: Cap; readonly daily?: Cap } {
  const { tenants = {}, plans = {}, monthlyCapUsd, dailyCapUsd } = settings
  const caps = capsFor({ tenants, plans, monthlyCapUsd, dailyCapUsd, downgradeAt: 1, channels: {} }, time, { tenantId, plan })
  const ids = meterIds(time, '')
  const least = (id: string): Cap | undefined => caps.filter(({ meterId }) => meterId === id).toSorted((a, b) => a.capUsd - b.capUsd)[0]
  return defined({ monthly: least(ids.month), daily: least(ids.day) })
}

type Counted = Pick<Meter, 'spentNanos' | 'heldNanos'>
const NOTHING: Counted = { spentNanos: 0, heldNanos: 0 }
type Meters = ReadonlyMap<string, Counted>
export const meterIn = (meters: Meters, meterId: string): Counted => meters.get(meterId) ?? NOTHING

/**
 * The cap without room for another call. Holds count as spending; the call itself does not, so that the rest of a cap can be
 * used: spending passes a cap by less than one call's greatest price.
 */
export function reached(caps: readonly Cap[], meters: Meters): Cap | undefined {
  return caps.find(({ capUsd, meterId }) => {
    const { spentNanos, heldNanos } = meterIn(meters, meterId)
    return spentNanos + heldNanos >= nanosOf(capUsd)
  })
}

/** State of spending against one cap. Holds do not count, because they are greatest prices and change with each call. */
export function standing({ capUsd, meterId }: Cap, meters: Meters, downgradeAt: number): Standing {
  const { spentNanos } = meterIn(meters, meterId)
  if (spentNanos >= nanosOf(capUsd)) return 'exceeded'
  return spentNanos >= nanosOf(capUsd * downgradeAt) ? 'downgrade' : 'ok'
}

const RANK: readonly Standing[] = ['ok', 'downgrade', 'exceeded']

export function worst(caps: readonly Cap[], meters: Meters, downgradeAt: number): { readonly state: Standing; readonly reason?: string } {
  let state: Standing = 'ok'
  let of: Cap | undefined
  for (const cap of caps) {
    const one = standing(cap, meters, downgradeAt)
    if (RANK.indexOf(one) > RANK.indexOf(state)) [state, of] = [one, cap]
  }
  if (!of) return { state }
  const spent = usdOf(meterIn(meters, of.meterId).spentNanos)
  const why = state === 'exceeded' ? 'which is reached' : `past the ${downgradeAt} of it from which calls go to a cheaper tier`
  return { state, reason: `${spent} USD are spent of the cap budgets.${of.name} of ${of.capUsd} USD, ${why}.` }
}

import { DAY_MS, startOfMonth } from '@gateway/sdk'
import { METERED, type Scope } from './scope.ts'

export const dayOf = (time: Date): string => time.toISOString().slice(0, 10)
const monthOf = (time: Date): string => time.toISOString().slice(0, 7)

/** Ids of the meters for spending at this time. A channel is metered whether or not it has a cap, because it may get one. */
export const meterIds = (time: Date, channel: string) => ({
  month: `month ${monthOf(time)}`,
  day: `day ${dayOf(time)}`,
  channel: `channel ${monthOf(time)} ${channel}`,
})

/** Kinds of the meters of a dimension. A meter is named after its kind and the value. */
export const meterKinds = (time: Date, dimension: string) => ({
  month: `${dimension} month ${monthOf(time)}`,
  day: `${dimension} day ${dayOf(time)}`,
})

/** Ids of the meters of one key label, agent, task, swarm or model. Each is metered whether or not it has a cap. */
export function dimensionMeterIds(time: Date, dimension: string, value: string) {
  const { month, day } = meterKinds(time, dimension)
  return { month: `${month} ${value}`, day: `${day} ${value}` }
}

export interface MeterOfCall {
  readonly meterId: string
  /** Absent for a meter of the whole tenant or of a channel. */
  readonly kind?: string
  readonly value?: string
}

export function allMeters(time: Date, scope: Scope): readonly MeterOfCall[] {
  const own = METERED.flatMap(({ dimension }): MeterOfCall[] => {
    const value = scope[dimension]
    if (value === undefined) return []
    return Object.values(meterKinds(time, dimension)).map((kind) => ({ meterId: `${kind} ${value}`, kind, value }))
  })
  return [...Object.values(meterIds(time, scope.channel ?? '')).map((meterId) => ({ meterId })), ...own]
}

export const monthResetsAt = (time: Date): string => startOfMonth(new Date(startOfMonth(time).getTime() + 32 * DAY_MS)).toISOString()
export const dayResetsAt = (time: Date): string => new Date((Math.floor(time.getTime() / DAY_MS) + 1) * DAY_MS).toISOString()

import { startOfMonth } from '@gateway/sdk'
import { METERED, type Scope } from './scope.ts'

const DAY_MS = 86_400_000

export const dayOf = (time: Date): string => time.toISOString().slice(0, 10)
const monthOf = (time: Date): string => time.toISOString().slice(0, 7)

/** Ids of the meters for spending at this time. A channel is metered whether or not it has a cap, because it may get one. */
export const meterIds = (time: Date, channel: string) => ({
  month: `month ${monthOf(time)}`,
  day: `day ${dayOf(time)}`,
  channel: `channel ${monthOf(time)} ${channel}`,
})

/** Ids of the meters of one key label, agent or model. Each is metered whether or not it has a cap. */
export const dimensionMeterIds = (time: Date, dimension: string, value: string) => ({
  month: `${dimension} month ${monthOf(time)} ${value}`,
  day: `${dimension} day ${dayOf(time)} ${value}`,
})

/** Ids of all meters of a call. */
export function allMeterIds(time: Date, scope: Scope): readonly string[] {
  const own = METERED.flatMap(({ dimension }) => {
    const value = scope[dimension]
    return value === undefined ? [] : Object.values(dimensionMeterIds(time, dimension, value))
  })
  return [...Object.values(meterIds(time, scope.channel ?? '')), ...own]
}

export const monthResetsAt = (time: Date): string => startOfMonth(new Date(startOfMonth(time).getTime() + 32 * DAY_MS)).toISOString()
export const dayResetsAt = (time: Date): string => new Date((Math.floor(time.getTime() / DAY_MS) + 1) * DAY_MS).toISOString()

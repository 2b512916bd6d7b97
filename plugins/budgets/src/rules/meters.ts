import { startOfMonth } from '@gateway/sdk'

const DAY_MS = 86_400_000

export const dayOf = (time: Date): string => time.toISOString().slice(0, 10)
const monthOf = (time: Date): string => time.toISOString().slice(0, 7)

/** Ids of the meters for spending at this time. A channel is metered whether or not it has a cap, because it may get one. */
export const meterIds = (time: Date, channel: string) => ({
  month: `month ${monthOf(time)}`,
  day: `day ${dayOf(time)}`,
  channel: `channel ${monthOf(time)} ${channel}`,
})

export const monthResetsAt = (time: Date): string => startOfMonth(new Date(startOfMonth(time).getTime() + 32 * DAY_MS)).toISOString()
export const dayResetsAt = (time: Date): string => new Date((Math.floor(time.getTime() / DAY_MS) + 1) * DAY_MS).toISOString()

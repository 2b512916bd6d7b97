export const SAMPLE_SECONDS = 600

/** Statuses whose number is a backlog; finished tasks only accumulate. */
const SAMPLED = ['pending', 'working', 'review', 'blocked', 'dead_letter'] as const
export type Sampled = Readonly<Record<(typeof SAMPLED)[number], number>>

/** Points of a trend: an hour each for a day. */
const MAX_POINTS = 24
const SAMPLES_PER_POINT = 6

/** Returns the start of the interval that contains a time, so that nodes that count twice keep one sample. */
export function sampleTime(time: Date): string {
  const interval = SAMPLE_SECONDS * 1_000
  return new Date(Math.floor(time.getTime() / interval) * interval).toISOString()
}

export const TREND_SAMPLES = MAX_POINTS * SAMPLES_PER_POINT

/** The trend of each status, oldest first, ending with the current count. More samples than points are thinned out. */
export function trendsOf(newestFirst: readonly Sampled[], current: Sampled): Record<keyof Sampled, number[]> {
  const every = newestFirst.length > MAX_POINTS ? SAMPLES_PER_POINT : 1
  const points = [current, ...newestFirst.filter((_, index) => index % every === 0)].reverse()
  return Object.fromEntries(SAMPLED.map((status) => [status, points.map((point) => point[status])])) as Record<keyof Sampled, number[]>
}

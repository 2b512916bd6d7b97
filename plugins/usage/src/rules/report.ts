import { DAY_MS, HOUR_MS, type Period, splitPeriod } from '@gateway/sdk'
import { type Counts, OTHER } from './tally.ts'

const MAX_LISTED_VALUES = 500

const hourOf = (time: Date): string => time.toISOString().slice(0, 13)
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10)

/** The whole hours that a period touches, the finest resolution of the counts. An empty period touches none. */
export function wholeHours({ from, to }: Period): Period {
  if (from >= to) return { from, to }
  return {
    from: new Date(Math.floor(from.getTime() / HOUR_MS) * HOUR_MS),
    to: new Date(Math.ceil(to.getTime() / HOUR_MS) * HOUR_MS),
  }
}

export interface Buckets {
  readonly span: 'hour' | 'day'
  readonly gte: string
  readonly lt: string
}

/** Counts that make up a period of whole hours: those of its whole days, and of the hours before and after. */
export function bucketsOf(period: Period): readonly Buckets[] {
  const { whole, edges } = splitPeriod(period, DAY_MS)
  const days = whole ? [{ span: 'day', gte: dayOf(whole.from), lt: dayOf(whole.to) } as const] : []
  return [...days, ...edges.map(({ from, to }) => ({ span: 'hour', gte: hourOf(from), lt: hourOf(to) }) as const)]
}

export type Row = readonly [key: string, quantity: number]

export const sumOf = (counts: Counts): number => [...counts.values()].reduce((sum, one) => sum + one, 0)

/** The largest first; the rest as one, so that the rows still make up the whole. */
export function greatest(counts: Counts): readonly Row[] {
  const sorted = [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
  if (sorted.length <= MAX_LISTED_VALUES) return sorted
  const rest = sorted.slice(MAX_LISTED_VALUES).reduce((sum, [, quantity]) => sum + quantity, 0)
  const [kept, known] = [sorted.slice(0, MAX_LISTED_VALUES).filter(([key]) => key !== OTHER), counts.get(OTHER) ?? 0]
  const keptOther = sorted.slice(0, MAX_LISTED_VALUES).some(([key]) => key === OTHER)
  return [...kept, [OTHER, rest + (keptOther ? known : 0)]]
}

export const inOrder = (counts: Counts): readonly Row[] => [...counts].sort(([a], [b]) => (a < b ? -1 : 1))

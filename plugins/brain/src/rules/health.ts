/** Measured values, each 0 to 1; `undefined` without recorded data. */
export interface Measured {
  readonly freshness: number | undefined
  readonly coverage: number | undefined
  readonly contradictions: number | undefined
  readonly hitRate: number | undefined
}
export type Grade = 'excellent' | 'good' | 'fair' | 'poor'

/** Weight of each part. A part without a measurement gives its weight to the others. */
export const WEIGHTS: Readonly<Record<keyof Measured, number>> = { freshness: 30, coverage: 25, contradictions: 20, hitRate: 25 }

export function scoreOf(measured: Measured): number {
  const parts = Object.entries(WEIGHTS).flatMap(([name, weight]) => {
    const value = measured[name as keyof Measured]
    return value === undefined ? [] : [{ value, weight }]
  })
  const weights = parts.reduce((sum, { weight }) => sum + weight, 0)
  return weights === 0 ? 0 : Math.round((100 * parts.reduce((sum, { value, weight }) => sum + value * weight, 0)) / weights)
}

export function gradeOf(score: number): Grade {
  if (score >= 85) return 'excellent'
  if (score >= 70) return 'good'
  return score >= 50 ? 'fair' : 'poor'
}

/** Points of change, either way, that count as noise. */
const STEADY = 2

export function trendOf(score: number, before: readonly { readonly score: number }[]): 'up' | 'down' | 'steady' | 'unknown' {
  const first = before[0]
  if (first === undefined) return 'unknown'
  if (Math.abs(score - first.score) <= STEADY) return 'steady'
  return score > first.score ? 'up' : 'down'
}

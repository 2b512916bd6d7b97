import type { Impact } from './impact.ts'

/** Weights of the counts that make a change risky. Each counts by its logarithm: the hundredth matters less than the first. */
const WEIGHTS = { changedFiles: 2, affectedFiles: 4, callers: 2, untestedFiles: 3, sharedFiles: 3 } as const
export type RiskCounts = Readonly<Record<keyof typeof WEIGHTS, number>>

export const LEVELS = ['low', 'medium', 'high'] as const
export type Level = (typeof LEVELS)[number]
const MEDIUM_FROM = 12
const HIGH_FROM = 28

export function riskOf(counts: RiskCounts): { readonly risk: number; readonly level: Level } {
  const sum = Object.entries(WEIGHTS).reduce((all, [name, weight]) => all + weight * Math.log2(1 + counts[name as keyof RiskCounts]), 0)
  const risk = Math.round(sum * 10) / 10
  return { risk, level: risk >= HIGH_FROM ? 'high' : risk >= MEDIUM_FROM ? 'medium' : 'low' }
}

export function countsOf(changed: readonly string[], impact: Impact, sharedFiles: number): RiskCounts {
  return {
    changedFiles: changed.length,
    affectedFiles: impact.affectedFiles.length,
    callers: impact.callers.length,
    untestedFiles: impact.untestedFiles.length,
    sharedFiles,
  }
}

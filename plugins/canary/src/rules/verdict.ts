import type { Run, Stage, StageResult } from '../schema.ts'

const WORST = ['fail', 'slow', 'skipped'] as const

/** A run is as good as the worst of its stages. */
export function verdict(stages: readonly StageResult[]): Run['status'] {
  return WORST.find((status) => stages.some((stage) => stage.status === status)) ?? 'pass'
}

export function ended(stage: Stage, latencyMs: number, budgetMs: number): StageResult {
  return { stage, status: latencyMs > budgetMs ? 'slow' : 'pass', latencyMs: Math.round(latencyMs * 1_000) / 1_000, budgetMs }
}

/** Severity of a run for alerts; a skipped one says nothing. */
export const severityOf = (status: Exclude<Run['status'], 'skipped'>): number => ({ pass: 0, slow: 1, fail: 2 })[status]

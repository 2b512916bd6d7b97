import type { CallContext, Resolved } from '@gateway/sdk'
import { config } from '../config.ts'
import { ended, verdict } from '../rules/verdict.ts'
import { type Run, STAGES, type Stage, type StageResult } from '../schema.ts'
import { Closed, walk, walking } from './stages.ts'

export const running = { ...walking, config }
type Refs = Resolved<typeof running>

/** Runs all stages and reports their outcomes. Stages after a failed one are skipped. */
export async function makeRun(refs: Refs, ctx: CallContext): Promise<Run> {
  const startedAt = ctx.now().toISOString()
  const { stages, clean } = walk(refs, ctx)
  const results: StageResult[] = []
  for (const stage of STAGES) {
    const goesOn = results.every(({ status }) => status === 'pass' || status === 'slow')
    const budgetMs = refs.config[`${stage}BudgetMs`]
    results.push(goesOn ? await measured(stage, budgetMs, stages[stage], ctx) : { stage, status: 'skipped', budgetMs })
  }
  try {
    await clean()
  } catch (error) {
    ctx.log.warn('the tasks of a synthetic run were left behind', { err: error })
  }
  return { runId: ctx.newId('canary-'), status: verdict(results), stages: results, startedAt }
}

async function measured(stage: Stage, budgetMs: number, work: () => Promise<void>, ctx: CallContext): Promise<StageResult> {
  const began = performance.now()
  try {
    await work()
    return ended(stage, performance.now() - began, budgetMs)
  } catch (error) {
    const { message } = error as Error
    if (error instanceof Closed) return { stage, status: 'skipped', budgetMs, error: message }
    ctx.log.warn('a stage of the synthetic run failed', { stage, err: error })
    return { ...ended(stage, performance.now() - began, budgetMs), status: 'fail', error: message }
  }
}

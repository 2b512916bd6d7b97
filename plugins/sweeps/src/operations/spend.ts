import type { Toolbox } from '@gateway/sdk'
import { ask } from './ask.ts'

/** USD spent on models since a time; `undefined` if no family meters it. */
export async function spendSince(tools: Toolbox, since: string): Promise<number | undefined> {
  const answer = await ask<{ readonly totalUsd?: number }>(tools, 'budgets_breakdown', { from: since })
  return answer.there ? answer.result.totalUsd : undefined
}

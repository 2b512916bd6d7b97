import type { Toolbox } from '@gateway/sdk'
import { plainBrief } from '../rules/morning-report.ts'
import type { Work } from '../rules/rank.ts'
import type { Brief, RankedRepo } from '../schema.ts'
import { ask } from './ask.ts'

/** The report is by the agent if one is named and answers, otherwise from the figures: a morning without a model has one as well. */
export async function brief(
  tools: Toolbox,
  repo: RankedRepo,
  { work, agent, maxTokens }: { readonly work: readonly Work[]; readonly agent: string | undefined; readonly maxTokens: number },
): Promise<Brief> {
  const figures = plainBrief(repo, work)
  if (agent === undefined) return { repo: repo.repo, text: figures, by: 'figures' }
  const message = `Write a short morning brief in Markdown on the repo ${repo.repo} for the person who leads it: what matters today, what is stuck and why, what to do first. No heading. What the queue says:\n\n${figures}`
  const answer = await ask<{ readonly text: string }>(tools, 'agents_invoke', { agent, message, repo: repo.repo, maxTokens })
  if (answer.there && answer.result.text.trim() !== '') return { repo: repo.repo, text: answer.result.text, by: 'agent' }
  return { repo: repo.repo, text: figures, by: 'figures' }
}

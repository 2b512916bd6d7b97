import type { Toolbox } from '@gateway/sdk'
import { NO_WORK, rank, type Work } from '../rules/rank.ts'
import type { RankedRepo } from '../schema.ts'
import { ask } from './ask.ts'

interface Priority {
  readonly repos: readonly { readonly name: string; readonly attention: number; readonly reasons: readonly string[] }[]
}

/** Ranks repos as repos_priority does, then those that it leaves out by their work; by their work alone without that tool. */
export async function rankRepos(tools: Toolbox, work: readonly Work[]): Promise<readonly RankedRepo[]> {
  const byWork = rank(work)
  const answer = await ask<Priority>(tools, 'repos_priority', {})
  if (!answer.there) return byWork
  const ranked = new Set(answer.result.repos.map(({ name }) => name))
  const figures = new Map(byWork.map((one) => [one.repo, one]))
  return [
    ...answer.result.repos.map(({ name: repo, attention: score, reasons }) => ({
      ...(figures.get(repo) ?? NO_WORK),
      repo,
      score,
      reasons: [...reasons],
    })),
    ...byWork.filter(({ repo }) => !ranked.has(repo)),
  ]
}

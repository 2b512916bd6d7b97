import type { RepoConcern } from '../api.ts'

export interface WorriedRepo {
  readonly repo: string
  readonly weight: number
  readonly reasons: string[]
}

/** Returns the repos with concerns by descending weight, equal ones by name. Each repo's reasons have the same order. */
export function rank(concerns: readonly RepoConcern[]): WorriedRepo[] {
  const byRepo = new Map<string, RepoConcern[]>()
  for (const concern of concerns) byRepo.set(concern.repo, [...(byRepo.get(concern.repo) ?? []), concern])
  const worried = [...byRepo].map(([repo, of]) => ({
    repo,
    weight: of.reduce((sum, { weight }) => sum + weight, 0),
    reasons: of.sort((a, b) => b.weight - a.weight).map(({ reason }) => reason),
  }))
  return worried.sort((a, b) => b.weight - a.weight || (a.repo < b.repo ? -1 : 1))
}

import type { RepoConcern } from '../api.ts'

/** A repo that somebody should look at, and all that speaks for it. */
export interface WorriedRepo {
  readonly repo: string
  readonly weight: number
  readonly reasons: string[]
}

/** The repos with concerns, the weightiest first, equal ones by name. Each repo’s reasons stand the weightiest first. */
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

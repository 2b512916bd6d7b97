import type { RankedRepo } from '../schema.ts'

export interface Work {
  readonly repo: string
  readonly title: string
  readonly status: string
  readonly priority: 'P0' | 'P1' | 'P2' | 'P3'
}

const OF_PRIORITY = { P0: 8, P1: 4, P2: 2, P3: 1 } as const
/** Stuck work waits for a person, and so does everything behind it. */
const OF_STATUS: Readonly<Record<string, number>> = { pending: 1, working: 0, review: 1, blocked: 2, dead_letter: 2 }

export const NO_WORK = { score: 0, pending: 0, urgent: 0, working: 0, review: 0, stuck: 0 } as const

/** Repos, first the one with most waiting work; equals by name. */
export function rank(work: readonly Work[]): readonly RankedRepo[] {
  const repos = new Map<string, { -readonly [K in keyof RankedRepo]: RankedRepo[K] }>()
  for (const { repo, status, priority } of work) {
    const one = repos.get(repo) ?? { repo, ...NO_WORK }
    repos.set(repo, one)
    one.score += OF_PRIORITY[priority] * (OF_STATUS[status] ?? 0)
    if (status === 'pending' && (priority === 'P0' || priority === 'P1')) one.urgent += 1
    if (status === 'blocked' || status === 'dead_letter') one.stuck += 1
    else if (status === 'pending' || status === 'working' || status === 'review') one[status] += 1
  }
  return [...repos.values()].sort((a, b) => b.score - a.score || (a.repo < b.repo ? -1 : 1))
}

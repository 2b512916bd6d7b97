import type { Collection } from '@gateway/sdk'
import type { Job, RunCount } from '../schema.ts'

/** Keys of the run counts: the repo and the status, and the status alone. */
type Counted = Pick<Job, 'repo' | 'status'>
const keyOf = (repo: string | null, status: string | null): string => JSON.stringify([repo, status])

function keysOf({ repo, status }: Counted): readonly string[] {
  return [...(repo !== undefined ? [keyOf(repo, status ?? null)] : []), ...(status !== undefined ? [keyOf(null, status)] : [])]
}

/** Adds new runs and subtracts removed ones, in the same transaction. */
export async function recount(counts: Collection<RunCount>, come: readonly Counted[], gone: readonly Counted[]): Promise<void> {
  const changes = new Map<string, number>()
  const add = (runs: readonly Counted[], by: number): void => {
    for (const key of runs.flatMap(keysOf)) changes.set(key, (changes.get(key) ?? 0) + by)
  }
  add(come, 1)
  add(gone, -1)
  for (const [of, by] of changes) {
    if (by === 0) continue
    const { runs } = await counts.upsert({ of, runs: by }, { inc: { runs: by } })
    if (runs === 0) await counts.deleteOne(of)
  }
}

/**
 * Number of runs with one of the statuses (null for no status), of a repo or of all; over all repos, those without a status are
 * unknown.
 */
export async function counted(
  counts: Collection<RunCount>,
  repo: string | undefined,
  statuses: readonly (string | null)[],
): Promise<number> {
  const found = await counts.getMany(statuses.map((status) => keyOf(repo ?? null, status)))
  return found.reduce((sum, { runs }) => sum + runs, 0)
}

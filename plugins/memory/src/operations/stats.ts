import { defined } from '@gateway/sdk'
import type { MemoryStats } from '../api.ts'
import { MEMORY } from '../rules/corpus-words.ts'
import type { MemoryUses } from './uses.ts'

const NO_REPO = '(none)'

/** Chunks by repo and source, counted in the index off the event loop. */
export async function memoryStats(repo: string | undefined, { records }: Pick<MemoryUses, 'records'>): Promise<MemoryStats> {
  const where = { corpus: MEMORY, ...defined({ repo }) }
  const [groups, waiting] = await Promise.all([
    records.group({ where, by: ['repo', 'source'] }),
    records.count({ ...where, pending: { exists: true } }),
  ])
  const byRepo: Record<string, number> = {}
  const bySource: Record<string, number> = {}
  for (const { key, count } of groups) {
    const [repoOf, source] = [String(key[0] ?? NO_REPO), String(key[1] ?? 'feature')]
    byRepo[repoOf] = (byRepo[repoOf] ?? 0) + count
    bySource[source] = (bySource[source] ?? 0) + count
  }
  const total = groups.reduce((sum, { count }) => sum + count, 0)
  return { total, embedded: total - waiting, byRepo, bySource }
}

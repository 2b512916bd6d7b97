import { defined } from '@gateway/sdk'
import type { MemoryStats } from '../api.ts'
import { MEMORY } from '../rules/corpus-words.ts'
import type { MemoryUses } from './uses.ts'

const NO_REPO = '(none)'

/** Counts chunks by repo and source in the index, off the event loop. */
export async function memoryStats(
  repo: string | undefined,
  { records, vectors }: Pick<MemoryUses, 'records' | 'vectors'>,
): Promise<MemoryStats> {
  const where = { corpus: MEMORY, ...defined({ repo }) }
  const [groups, embedded] = await Promise.all([
    records.group({ where, by: ['repo', 'source'] }),
    repo === undefined ? vectors.count({ corpus: MEMORY }) : embeddedOf(where),
  ])
  // A repo may be called `constructor`.
  const [byRepo, bySource] = [new Map<string, number>(), new Map<string, number>()]
  const add = (sums: Map<string, number>, name: string, count: number) => void sums.set(name, (sums.get(name) ?? 0) + count)
  for (const { key, count } of groups) {
    add(byRepo, String(key[0] ?? NO_REPO), count)
    add(bySource, String(key[1] ?? 'feature'), count)
  }
  const total = groups.reduce((sum, { count }) => sum + count, 0)
  return { total, embedded, byRepo: Object.fromEntries(byRepo), bySource: Object.fromEntries(bySource) }

  /** Vectors do not have the repo as a field. */
  async function embeddedOf(where: { readonly corpus: string; readonly repo?: string }): Promise<number> {
    const [all, waiting, unreadable] = await Promise.all([
      records.count(where),
      records.count({ ...where, pending: { exists: true } }),
      records.count({ ...where, unreadableBy: { exists: true } }),
    ])
    return all - waiting - unreadable
  }
}

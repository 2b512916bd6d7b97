import { type Collection, type Resolved, readThroughout, type throughout } from '@gateway/sdk'
import type { tasks } from '../collections.ts'
import type { byStatus, oldestReady } from '../metrics.ts'
import { PRIORITIES, STATUSES, type Task } from '../schema.ts'
import { figuresOf } from '../services/figures.ts'

interface Refs extends Resolved<{ byStatus: typeof byStatus; oldestReady: typeof oldestReady }> {
  readonly everywhere: Resolved<{ everywhere: ReturnType<typeof throughout<(typeof tasks)['schema']>> }>['everywhere']
}

/** Counts by index in each tenant, and finds the oldest claimable task of each priority. */
export function queueReader({ everywhere, byStatus, oldestReady }: Refs, now: () => Date): () => Promise<void> {
  const each = readThroughout(everywhere, async (tasks) => ({
    heads: await heads(tasks),
    counts: (await figuresOf(tasks).byStatus()).counts,
  }))
  return async () => {
    const tenants = await each()
    if (!tenants) return
    for (const status of STATUSES)
      byStatus.set(
        tenants.reduce((sum, { counts }) => sum + (counts[status] ?? 0), 0),
        status,
      )
    const [oldest] = tenants.flatMap((tenant) => tenant.heads).sort()
    oldestReady.set(oldest === undefined ? 0 : Math.max(0, (now().getTime() - Date.parse(oldest)) / 1_000))
  }
}

async function heads(tasks: Collection<Task>): Promise<readonly string[]> {
  const found = await Promise.all(
    PRIORITIES.map((priority) => tasks.find({ where: { stage: 'ready', priority }, sort: { createdAt: 1 }, limit: 1 })),
  )
  return found.flatMap(({ items }) => items.map(({ createdAt }) => createdAt))
}

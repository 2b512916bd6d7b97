import { defineService, provideProcess } from '@gateway/sdk'
import type { Log, StorableLine } from '../schema.ts'

/** Takes the lines when it begins to write, and again if it has to restart: no lines are added after the first time. */
type Write = (take: () => readonly StorableLine[]) => Promise<readonly Log[]>

/** Lines that calls add before the store gets to them are written together, tenant by tenant. */
export interface Batches {
  add(tenantId: string, lines: readonly StorableLine[], write: Write): Promise<readonly Log[]>
}
export const batches = defineService<Batches>('logs.batches', 'process')

/** Largest number that the store takes in one step. */
export const MAX_BATCH = 1_000

interface Batch {
  readonly lines: StorableLine[]
  stored: Promise<readonly Log[]>
}

export const batchesProvider = provideProcess(batches, {
  create() {
    const open = new Map<string, Batch>()

    function begin(tenantId: string, write: Write): Batch {
      const batch: Batch = { lines: [], stored: Promise.resolve([]) }
      const take = (): readonly StorableLine[] => {
        if (open.get(tenantId) === batch) open.delete(tenantId)
        return batch.lines
      }
      open.set(tenantId, batch)
      // Deferred, because the caller has yet to add lines.
      batch.stored = Promise.resolve()
        .then(() => write(take))
        .finally(take)
      return batch
    }

    return {
      async add(tenantId, lines, write) {
        const known = open.get(tenantId)
        const batch = known && known.lines.length + lines.length <= MAX_BATCH ? known : begin(tenantId, write)
        const end = batch.lines.push(...lines)
        return (await batch.stored).slice(end - lines.length, end)
      },
    }
  },
})

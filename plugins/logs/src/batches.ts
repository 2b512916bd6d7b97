import { defineService, provideProcess } from '@gateway/sdk'

interface Waiting<Item, Result> {
  readonly items: readonly Item[]
  readonly resolve: (results: readonly Result[]) => void
  readonly reject: (error: unknown) => void
}

/** What the calls of one turn of the event loop add goes into the store together, tenant by tenant. */
export interface Batches {
  /** `write` may be given the items of other calls of the tenant too; its results are shared out in their order. */
  add<Item, Result>(
    tenantId: string,
    items: readonly Item[],
    write: (items: readonly Item[]) => Promise<readonly Result[]>,
  ): Promise<readonly Result[]>
}
export const batches = defineService<Batches>('logs.batches', 'process')

/** As many as the store takes in one step. */
export const MAX_BATCH = 1_000

export const batchesProvider = provideProcess(batches, {
  create() {
    const waiting = new Map<string, Waiting<never, never>[]>()
    return {
      add: (tenantId, items, write) =>
        new Promise((resolve, reject) => {
          const queue = waiting.get(tenantId)
          const one = { items, resolve, reject } as unknown as Waiting<never, never>
          if (queue) return void queue.push(one)
          waiting.set(tenantId, [one])
          setImmediate(() => {
            const all = waiting.get(tenantId) ?? []
            waiting.delete(tenantId)
            for (const batch of split(all)) void writeBatch(batch, write as never)
          })
        }),
    }
  },
})

function split<W extends Waiting<never, never>>(all: readonly W[]): readonly W[][] {
  const parts: W[][] = []
  let size = MAX_BATCH
  for (const one of all) {
    if (size + one.items.length > MAX_BATCH) {
      parts.push([])
      size = 0
    }
    parts.at(-1)?.push(one)
    size += one.items.length
  }
  return parts
}

async function writeBatch<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<void> {
  try {
    const results = await write(batch.flatMap(({ items }) => items))
    let from = 0
    for (const { items, resolve } of batch) {
      resolve(results.slice(from, from + items.length))
      from += items.length
    }
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}

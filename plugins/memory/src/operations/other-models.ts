import type { Call, MemoryUses } from './uses.ts'
import { afterWrite } from './write.ts'

/** Step size: others write in between. */
const STEP = 200

/**
 * Drops vectors of a model that is no longer in use and queues their records again, with those that it could not read. Costs four
 * index reads when there are none.
 */
export async function requeueOtherModels(uses: MemoryUses, call: Call): Promise<number> {
  const { engine, vectors, records } = uses
  if (!engine.able().able) return 0
  const model = engine.model()
  let requeued = 0
  const others = [{ lt: model }, { gt: model }]
  const lists = [
    ...others.map((of) => () => vectors.find({ where: { model: of }, sort: { model: 1 }, limit: STEP })),
    ...others.map((of) => () => records.find({ where: { unreadableBy: of }, sort: { unreadableBy: 1 }, limit: STEP })),
  ]
  for (const next of lists)
    for (;;) {
      call.signal.throwIfAborted()
      const ids = (await next()).items.map(({ id }) => id)
      if (ids.length === 0) break
      requeued += await requeue(ids, uses, call)
    }
  return requeued
}

/** Moves records from the list of embedded ones back to the pending list. */
export async function requeue(ids: readonly string[], uses: MemoryUses, call: Call): Promise<number> {
  for (let from = 0; from < ids.length; from += STEP) {
    const step = ids.slice(from, from + STEP)
    await uses.atomically(async (tx) => {
      await uses.vectors.in(tx).deleteMany({ id: { in: [...step] } })
      await uses.records.in(tx).updateMany(
        { id: { in: [...step] } },
        {
          set: { pending: tx.now.toISOString() },
          unset: ['unreadableBy'],
        },
      )
    })
    afterWrite(uses, call, { removed: step, added: step.length })
  }
  return ids.length
}

import type { Call, MemoryUses } from './uses.ts'
import { afterWrite } from './write.ts'

/** One step: others write in between. */
const STEP = 200

/** Vectors of a model that is no longer the one in use are dropped, and what they were of waits for new ones. Two looks at an index when there are none. */
export async function requeueOtherModels(uses: MemoryUses, call: Call): Promise<number> {
  const { engine, vectors } = uses
  if (!engine.able().able) return 0
  const model = engine.model()
  let requeued = 0
  for (const where of [{ model: { lt: model } }, { model: { gt: model } }])
    for (;;) {
      call.signal.throwIfAborted()
      const { items } = await vectors.find({ where, sort: { model: 1 }, limit: STEP })
      if (items.length === 0) break
      requeued += await requeue(
        items.map(({ id }) => id),
        uses,
        call,
      )
    }
  return requeued
}

/** Off the list of what has vectors, back onto that of what waits for some. */
export async function requeue(ids: readonly string[], uses: MemoryUses, call: Call): Promise<number> {
  for (let from = 0; from < ids.length; from += STEP) {
    const step = ids.slice(from, from + STEP)
    await uses.atomically(async (tx) => {
      await uses.vectors.in(tx).deleteMany({ id: { in: [...step] } })
      await uses.records.in(tx).updateMany({ id: { in: [...step] } }, { set: { pending: tx.now.toISOString() } })
    })
    afterWrite(uses, call, { removed: step, added: step.length })
  }
  return ids.length
}

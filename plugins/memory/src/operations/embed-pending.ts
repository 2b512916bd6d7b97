import { cutText } from '../rules/markdown.ts'
import { embeddedText } from '../rules/prepare.ts'
import { packVectors } from '../rules/quantize.ts'
import { isReadable } from '../rules/readable.ts'
import type { MemoryRecord, StoredVectors } from '../schema.ts'
import type { Call, MemoryUses } from './uses.ts'

/** Records per commit: a kill loses no more work than this. */
const BATCH = 16
/** Approximate input size of the model; a long text has several vectors. */
const WINDOW = 1_200
const OVERLAP = 150
const MAX_WINDOWS = 64

/**
 * Embeds pending records, the oldest first, until none is left or the model stops answering. The queue is a field of the
 * records: after a kill the rest is still in it, and a record that changed meanwhile waits again.
 */
export async function embedPending(uses: MemoryUses, call: Call): Promise<number> {
  const { engine, records } = uses
  if (engine.embedding.has(call.tenantId) || !engine.able().able) return 0
  const queue = { more: false }
  engine.embedding.set(call.tenantId, queue)
  let done = 0
  try {
    while (!call.signal.aborted && engine.able().able) {
      queue.more = false
      const { items } = await records.find({ where: { pending: { exists: true } }, sort: { pending: 1 }, limit: BATCH })
      // A record stored during the look wakes no other worker.
      if (items.length === 0 && !queue.more) return done
      done += await embedBatch(items, uses, call)
    }
    return done
  } finally {
    engine.embedding.delete(call.tenantId)
  }
}

async function embedBatch(batch: readonly MemoryRecord[], uses: MemoryUses, call: Call): Promise<number> {
  const { engine, records, vectors, atomically } = uses
  if (batch.length === 0) return 0
  const model = engine.model()
  const made = new Map<string, readonly Int8Array[]>()
  for (const record of batch) {
    const text = embeddedText(record)
    const windows = isReadable(text, model) ? cutText(text, WINDOW, OVERLAP).slice(0, MAX_WINDOWS) : []
    made.set(record.id, windows.length === 0 ? [] : await engine.embed(windows, call.signal))
  }
  const written = await atomically(async (tx) => {
    const written: StoredVectors[] = []
    for (const { id, pending, corpus, labels, createdAt } of batch) {
      const own = made.get(id) ?? []
      const change =
        own.length > 0 ? { unset: ['pending', 'unreadableBy'] as const } : { unset: ['pending'] as const, set: { unreadableBy: model } }
      const still = await records.in(tx).updateOne(id, change, { pending: pending as string })
      if (!still || own.length === 0) continue
      const entry = { id, corpus, labels, createdAt, at: tx.now.toISOString(), model, vectors: packVectors(own) }
      await vectors.in(tx).deleteOne(id)
      written.push(await vectors.in(tx).insert(entry))
    }
    return written
  })
  const loaded = engine.loaded.get(call.tenantId)
  for (const entry of written) loaded?.vectors.set(entry, made.get(entry.id) ?? [])
  return written.length
}

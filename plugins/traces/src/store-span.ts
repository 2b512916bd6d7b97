import { atomically, type Resolved } from '@gateway/sdk'
import { takePlaces } from '@gateway/sdk/ring'
import { rings, spans, traces } from './collections.ts'
import { config } from './config.ts'
import type { Span } from './schema.ts'

export const storing = { spans, traces, rings, config, atomically }

const DAY_MS = 86_400_000

/** The span, its trace, and what falls out for them: all or nothing. */
export function storeSpan(span: Omit<Span, 'spanId' | 'recordedAt'>, uses: Resolved<typeof storing>): Promise<Span> {
  const { config, atomically } = uses
  return atomically(async (tx) => {
    const recordedAt = tx.now.toISOString()
    const past = new Date(tx.now.getTime() - config.retentionDays * DAY_MS).toISOString()
    const isPast = (one: Span): boolean => one.recordedAt < past
    const ring = { states: uses.rings, documents: uses.spans, key: 'spanId', prefix: 'span-', max: config.maxSpans, isPast } as const
    const [spanId = ''] = await takePlaces(ring, 1, tx)
    const [collection, ofTraces] = [uses.spans.in(tx), uses.traces.in(tx)]
    const stored = await collection.insert({ spanId, ...span, recordedAt })
    await ofTraces.upsert({ taskId: span.taskId, lastRecordedAt: recordedAt }, { set: { lastRecordedAt: recordedAt } })
    // A trace whose last span is older than the oldest that is left has none any more.
    const [oldest] = (await collection.find({ sort: { spanId: 1 }, limit: 1 })).items
    if (oldest) await ofTraces.deleteMany({ lastRecordedAt: { lt: oldest.recordedAt } })
    return stored
  })
}

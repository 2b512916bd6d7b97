import { atomically, DAY_MS, type Resolved } from '@gateway/sdk'
import { takePlaces } from '@gateway/sdk/ring'
import { rings, spans, traces } from '../collections.ts'
import { config } from '../config.ts'
import type { Span } from '../schema.ts'

export const storing = { spans, traces, rings, config, atomically }

/** Writes the span, its trace, and the removals for them: all or nothing. */
export function storeSpan(span: Omit<Span, 'spanId' | 'recordedAt'>, uses: Resolved<typeof storing>): Promise<Span> {
  const { config, atomically } = uses
  return atomically(async (tx) => {
    const recordedAt = tx.now.toISOString()
    const past = new Date(tx.now.getTime() - config.retentionDays * DAY_MS).toISOString()
    const isPast = (one: Span): boolean => one.recordedAt < past
    const ofTraces = uses.traces.in(tx)
    // A trace is removed with its last span; one written by an earlier version, which did not record that, with any of them.
    const dropping = async (gone: readonly Span[]): Promise<void> => {
      const taskId = { in: [...new Set(gone.map((one) => one.taskId))] }
      await ofTraces.deleteMany({ taskId, or: [{ lastSpanId: { lte: gone.at(-1)?.spanId ?? '' } }, { lastSpanId: null }] })
    }
    const ring = {
      states: uses.rings,
      documents: uses.spans,
      key: 'spanId',
      prefix: 'span-',
      max: config.maxSpans,
      isPast,
      dropping,
    } as const
    const [spanId = ''] = await takePlaces(ring, 1, tx)
    const last = { lastRecordedAt: recordedAt, lastSpanId: spanId }
    await ofTraces.upsert({ taskId: span.taskId, ...last }, { set: last })
    return uses.spans.in(tx).insert({ spanId, ...span, recordedAt })
  })
}

import { defineService } from '@gateway/sdk'
import type { Span } from './schema.ts'

/** A finished span, as traces_record takes it. */
export type FinishedSpan = Pick<Span, 'taskId' | 'name'> &
  Partial<Pick<Span, 'service' | 'startMs' | 'endMs' | 'status' | 'parentName' | 'attributes' | 'error'>>

/** Records spans of other families. Secrets are removed, long texts are cut, and the traced code does not fail because of it. */
export interface SpanRecorder {
  /** Stores a span with a single write. Never throws. */
  record(span: FinishedSpan): Promise<{ readonly recorded: boolean; readonly span?: Span; readonly reason?: string }>
}
export const spanRecorder = defineService<SpanRecorder>('traces.recorder')

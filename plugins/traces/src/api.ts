import { defineService } from '@gateway/sdk'
import type { Span } from './schema.ts'

/** A finished span, as traces_record takes it. */
export type FinishedSpan = Pick<Span, 'taskId' | 'name'> &
  Partial<Pick<Span, 'service' | 'startMs' | 'endMs' | 'status' | 'parentName' | 'attributes' | 'error'>>

/** Spans of what other families do. Secrets are taken out, what is too long is cut, and whoever is traced does not fail for it. */
export interface SpanRecorder {
  /** One write. Never throws. */
  record(span: FinishedSpan): Promise<{ readonly recorded: boolean; readonly span?: Span; readonly reason?: string }>
}
export const spanRecorder = defineService<SpanRecorder>('traces.recorder')

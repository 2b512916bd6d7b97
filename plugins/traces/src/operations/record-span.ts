import { type CallContext, defined, type Resolved } from '@gateway/sdk'
import { storableAttributes, storableText } from '@gateway/sdk/redact'
import type { FinishedSpan, SpanRecorder } from '../api.ts'
import { possibleTimes, storableTaskId } from '../rules/bounds.ts'
import { storeSpan, type storing } from './store-span.ts'

type Recorded = Awaited<ReturnType<SpanRecorder['record']>>

/**
 * The traced code must not fail because of it: long texts are cut, impossible times left out, and a storage failure is reported in the answer and the log.
 */
export async function recordSpan(span: FinishedSpan, uses: Resolved<typeof storing>, ctx: CallContext): Promise<Recorded> {
  const { taskId, name, service, status = 'ok', parentName, attributes, error } = span
  const { maxTextCharacters, maxAttributesCharacters } = uses.config
  const text = (value: string): string => storableText(value, maxTextCharacters)
  const { startMs, endMs } = possibleTimes(span)
  try {
    const stored = await storeSpan(
      {
        taskId: storableTaskId(taskId),
        name: text(name),
        ...defined({ service, startMs, endMs }),
        ...(startMs !== undefined && endMs !== undefined && { durationMs: endMs - startMs }),
        status,
        ...(parentName !== undefined && { parentName: text(parentName) }),
        ...(attributes !== undefined && { attributes: storableAttributes(attributes, maxAttributesCharacters) }),
        ...(error !== undefined && { error: text(error) }),
      },
      uses,
    )
    return { recorded: true, span: stored }
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure)
    ctx.log.warn('a span was not recorded', { error: reason })
    return { recorded: false, reason }
  }
}

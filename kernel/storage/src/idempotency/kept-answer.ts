import type { ContentBlock, ErrorRecord } from '@gateway/sdk'
import { withoutSecrets } from './secrets.ts'

export type Answer =
  | { readonly ok: true; readonly status: number; readonly result: object; readonly content?: readonly ContentBlock[] | undefined }
  | {
      readonly ok: false
      readonly status: number
      readonly error: ErrorRecord
      /** The call has changed nothing, though it may have reserved its key. */
      readonly unchanged?: true
    }

/** A repeated answer; `omitted` says what it lacks. */
export type Replay = Answer & { readonly replayed: true; readonly omitted?: readonly string[] }

/** Most answers have a few hundred bytes. A longer one is cut: its record would cost more than the write it belongs to. */
const MAX_BYTES = 16_384
const MAX_TEXT = 200
const MAX_IDS = 1_000
/** Named among what a replay lacks if its texts are shortened. */
export const LONG_TEXTS = 'long texts'

/** The part of an answer that its key keeps, as JSON: without the secrets of its output schema, and of a large one its ids. */
export function keptAnswer(answer: Answer, output: object): string {
  if (!answer.ok) return JSON.stringify(answer)
  const omitted: string[] = []
  const { ok, status, content } = answer
  const result = withoutSecrets(answer.result, output, omitted)
  // Content that is the whole result is stored once.
  const isContent = content !== undefined && (answer.result as { content?: unknown }).content === content
  const kept = { ok, status, result, ...(isContent ? { isContent } : content && { content }), ...(omitted.length > 0 && { omitted }) }
  const whole = JSON.stringify(kept)
  if (whole.length <= MAX_BYTES) return whole
  const shorter = JSON.stringify({ ok, status, result: shortened(result), omitted: [...omitted, LONG_TEXTS] })
  if (shorter.length <= MAX_BYTES) return shorter
  return JSON.stringify({ ok, status, result: { ids: idsOf(result) }, omitted: ['everything but the ids'] })
}

/** Restores a kept answer. Records of an earlier version hold an object instead of its JSON. */
export function replayOf(kept: string | object): Replay {
  const { isContent, ...answer } = (typeof kept === 'string' ? JSON.parse(kept) : kept) as Answer & { readonly isContent?: boolean }
  const content = isContent && answer.ok ? { content: (answer.result as { content: readonly ContentBlock[] }).content } : {}
  return { ...(answer as Answer), ...content, replayed: true }
}

/** Keeps the shape, so that the replay still fits the tool's output schema. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(shortened)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shortened(item)]))
}

const ID_NAME = /^id$|Ids?$|^slug$|^name$/

/** Collects the texts under names of ids. */
export function idsOf(result: object, named = ID_NAME): readonly string[] {
  const ids = new Set<string>()
  const collect = (value: unknown, name = ''): void => {
    if (ids.size >= MAX_IDS) return
    if (typeof value === 'string') {
      if (named.test(name) && value.length <= MAX_TEXT) ids.add(value)
    } else if (Array.isArray(value)) {
      for (const item of value) collect(item, name)
    } else if (typeof value === 'object' && value !== null) {
      for (const [member, item] of Object.entries(value)) collect(item, member)
    }
  }
  collect(result)
  return [...ids]
}

/** Refusals about the caller, the arguments or the load say nothing about the record that the call is for. */
const TRANSIENT = new Set(['BAD_REQUEST', 'FORBIDDEN', 'INPUT_REQUIRED'])
const UNKNOWN_END = new Set(['INTERNAL_ERROR', 'CALL_TIMEOUT', 'CANCELLED'])

/**
 * True if the answer uses up the key. A fault, a timeout or a cancellation does so only if some of the call's work
 * could not be undone (`isPartial`), and never if the call says that it has changed nothing.
 */
export function usesUpKey(answer: Answer, isPartial: boolean): boolean {
  if (answer.ok) return true
  const { status, error, unchanged = false } = answer
  if (status === 429 || status === 503 || TRANSIENT.has(error.code)) return false
  return (isPartial && !unchanged) || !UNKNOWN_END.has(error.code)
}

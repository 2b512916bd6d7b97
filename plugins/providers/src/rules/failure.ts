import { isToolError } from '@gateway/sdk'
import type { BreakerOutcome } from '@gateway/sdk/bounds'
import { type Draft, Malformed, ReportedFailure } from './answer.ts'

const FAILURES = [
  'rate_limited',
  'busy',
  'server_error',
  'unreachable',
  'reset',
  'timeout',
  'invalid_answer',
  'no_text',
  'too_large',
] as const
type FailureReason = (typeof FAILURES)[number] | 'refused'

/** The reason why an attempt gave no answer. A call is not retried after `refused`, nor at the same provider after `no_text`. */
export interface Failure {
  readonly reason: FailureReason
  /** For a person; names no address and no key. */
  readonly says: string
  readonly status?: number
  /** Time for which the provider asks for no calls. */
  readonly retryAfterMs?: number
}

/** Kinds in reports of providers that may pass, beside those of a status. */
const PASSING = new Set(['overloaded_error', 'rate_limit_error', 'api_error', 'server_error', 'timeout_error', 'rate_limit_exceeded'])

/** Classifies a status other than 200. A 4xx blames the request, except 408, 425 and 429, which may pass with time. */
export function failureOfStatus(status: number, said: string, retryAfterMs: number | undefined): Failure {
  const later = retryAfterMs === undefined ? {} : { retryAfterMs }
  if (status === 429) return { reason: 'rate_limited', status, says: 'it allows no more calls just now (HTTP 429)', ...later }
  if (status >= 500 || status === 408 || status === 425) {
    return { reason: 'server_error', status, says: `it failed (HTTP ${status})`, ...later }
  }
  return { reason: 'refused', status, says: `it refused the request (HTTP ${status})${said === '' ? '' : `: ${said}`}` }
}

/** Classifies an error thrown while an answer was requested or read; `undefined` when the provider is not at fault. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof Malformed) return { reason: 'invalid_answer', says: `its answer makes no sense: ${error.message}` }
  if (error instanceof ReportedFailure) {
    if (error.kind.startsWith('rate_limit')) return { reason: 'rate_limited', says: 'it allows no more calls just now' }
    if (PASSING.has(error.kind) || error.kind === 'error') return { reason: 'server_error', says: 'it broke its answer off with an error' }
    return { reason: 'refused', says: `it refused the request: ${error.message}`, status: 200 }
  }
  if (!isToolError(error)) return undefined
  const details = error.details as { readonly reason?: string; readonly retryAfterSeconds?: number }
  if (error.code === 'OUTGOING_TIMEOUT') return { reason: 'timeout', says: 'it took too long' }
  if (error.code === 'OUTGOING_BUSY') {
    return { reason: 'busy', says: 'too many calls are under way', retryAfterMs: (details.retryAfterSeconds ?? 1) * 1_000 }
  }
  if (error.code !== 'OUTGOING_FAILED') return undefined
  if (details.reason === 'too_large') return { reason: 'too_large', says: 'its answer is too large' }
  if (details.reason === 'request_too_large') return { reason: 'refused', says: 'the prompt is too large to be sent', status: 413 }
  if (details.reason === 'reset') return { reason: 'reset', says: 'it broke the connection off' }
  if (details.reason === 'protocol' || details.reason === 'encoding') return { reason: 'invalid_answer', says: 'its answer cannot be read' }
  return { reason: 'unreachable', says: 'it cannot be reached' }
}

/**
 * Names the failure of an answer that is complete and has no text, or returns undefined where it has text or asks for tools. After results
 * of tools a model may have nothing to add (`mayBeEmpty`).
 */
export function withoutText({ text, stopReason, hiddenCharacters, toolCalls }: Draft, mayBeEmpty = false): Failure | undefined {
  if (text.trim() !== '' || toolCalls.length > 0) return undefined
  if (mayBeEmpty && (stopReason ?? 'end') === 'end') return undefined
  const says = (why: string): Failure => ({ reason: 'no_text', says: `its answer has no text: ${why}` })
  if (stopReason === 'filtered') return says('it refused, or a filter withheld the answer')
  if (stopReason === 'length') return says('the limit of tokens was used up before any')
  return says(hiddenCharacters > 0 ? 'it consists of reasoning alone' : 'it is empty')
}

/** Tells from a failure if the provider works: limits and sizes are of the call, and a refusal or an empty answer shows that it is up. */
export function breakerOutcome({ reason }: Failure): BreakerOutcome {
  if (reason === 'refused' || reason === 'no_text') return 'worked'
  return reason === 'rate_limited' || reason === 'busy' || reason === 'too_large' ? 'unknown' : 'failed'
}

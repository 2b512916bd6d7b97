import { isToolError } from '@gateway/sdk'
import { sse } from './renderer.ts'

export type ClientWire = 'chat' | 'responses' | 'embeddings' | 'messages'

/** Kinds of errors of the wire of Anthropic, by status. */
const ANTHROPIC: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
}
const OPENAI: Readonly<Record<number, string>> = { 402: 'insufficient_quota', 403: 'permission_error', 429: 'rate_limit_error' }

export interface WireError {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body of an answer. */
  readonly body: object
  /** The end of a stream. */
  readonly event: string
}

/** An error as the clients of a wire expect it. */
export function wireError(wire: ClientWire, error: unknown): WireError {
  const { status, code, message, param, retryAfterSeconds } = factsOf(error)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  }
  if (wire === 'messages') {
    const body = { type: 'error', error: { type: ANTHROPIC[status] ?? 'api_error', message } }
    return { status, headers, body, event: sse(body, 'error') }
  }
  const type = OPENAI[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error')
  const report = { message, type, param: param ?? null, code }
  const event = wire === 'responses' ? sse({ ...report, type: 'error' }, 'error') : sse({ error: report })
  return { status, headers, body: { error: report }, event }
}

interface Details {
  readonly field?: string
  readonly status?: number
  readonly retryAfterSeconds?: number
}

function factsOf(error: unknown) {
  if (!isToolError(error)) return { status: 500, code: 'INTERNAL', message: 'The gateway failed; its log has the reason.' }
  const { field: param, status: refusedWith, retryAfterSeconds } = (error.details ?? {}) as Details
  const { code, message } = error
  return { status: code === 'MODEL_REFUSED' ? passedOn(refusedWith) : error.status, code, message, param, retryAfterSeconds }
}

/** The provider's own refusal; one of its key is no fault of the client's key. */
function passedOn(status = 502): number {
  return status >= 400 && status < 500 && ![401, 402, 403, 407].includes(status) ? status : 502
}

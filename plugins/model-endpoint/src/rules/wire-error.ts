import { type ErrorRecord, isToolError } from '@gateway/sdk'
import { sse } from './renderer.ts'

export type ClientWire = 'chat' | 'responses' | 'embeddings' | 'messages'

const ANTHROPIC: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
}
const OPENAI: Readonly<Record<number, string>> = { 402: 'insufficient_quota', 403: 'permission_error', 429: 'rate_limit_error' }
/** Codes that clients of OpenAI's wire know, by those of the gateway. */
const OPENAI_CODES: Readonly<Record<string, string>> = { UNAUTHORIZED: 'invalid_api_key', MODEL_NOT_FOUND: 'model_not_found' }

export interface WireError {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body of an answer. */
  readonly body: object
  /** The end of a stream of this many events. */
  event(events: number): string
}

export function wireError(wire: ClientWire, error: unknown): WireError {
  const { status, retryAfterSeconds, ...facts } = factsOf(error)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  }
  const body = bodyOf(wire, status, facts)
  if (wire === 'messages') return { status, headers, body, event: () => sse(body, 'error') }
  if (wire !== 'responses') return { status, headers, body, event: () => sse(body) }
  const report = { ...reportOf(status, facts), type: 'error' }
  return { status, headers, body, event: (events) => sse({ ...report, sequence_number: events }, 'error') }
}

/** The body of a refusal that the gateway gave before it knew the call, such as that of a wrong key. */
export function refusalBody(wire: ClientWire, status: number, { code, error, details }: ErrorRecord): object {
  const { field } = (details ?? {}) as Details
  return bodyOf(wire, status, { code, message: error, param: field })
}

interface Facts {
  readonly code: string
  readonly message: string
  readonly param?: string | undefined
}

function bodyOf(wire: ClientWire, status: number, facts: Facts): object {
  if (wire !== 'messages') return { error: reportOf(status, facts) }
  const type = ANTHROPIC[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
  return { type: 'error', error: { type, message: facts.message } }
}

function reportOf(status: number, { code, message, param }: Facts) {
  const type = OPENAI[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error')
  return { message, type, param: param ?? (code === 'MODEL_NOT_FOUND' ? 'model' : null), code: OPENAI_CODES[code] ?? code }
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

/** The provider's own refusal; one of its key is not a fault of the client's key. */
function passedOn(status = 502): number {
  return status >= 400 && status < 500 && ![401, 402, 403, 407].includes(status) ? status : 502
}

import type { Dispatcher } from 'undici'
import type { Failure } from '../errors.ts'
import { isJsonType, readAnswer } from '../rules/answer.ts'
import { ClosedAddress } from './lookup.ts'

/** What became of a call. */
export type Answer = { readonly value: unknown } | { readonly failure: Failure; readonly status?: number } | 'timeout'

export interface Post {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
  /** The caller’s. */
  readonly signal: AbortSignal
}

/**
 * One POST, and the JSON that answers it: no redirect is followed, nothing is unpacked, nothing is tried again, and one deadline
 * holds from the look-up of the name to the last byte. Throws when the caller has gone.
 */
export async function post(open: () => Promise<Dispatcher>, { path, headers, body, timeoutMs, signal }: Post): Promise<Answer> {
  signal.throwIfAborted()
  const stop = new AbortController()
  const end = (): void => stop.abort()
  // Not AbortSignal.any: the signal of a call that nobody can stop outlives all calls, and would remember each.
  signal.addEventListener('abort', end, { once: true })
  const timer = setTimeout(end, timeoutMs)
  try {
    const pool = await open()
    const answer = await pool.request({ method: 'POST', path, headers, body, signal: stop.signal })
    const failure = headFailure(answer)
    if (failure) {
      // Its body is not waited for, and neither is its connection used again.
      answer.body.on('error', () => {}).destroy()
      return failure
    }
    const value = readAnswer(new Uint8Array(await answer.body.arrayBuffer()))
    return value === undefined ? { failure: 'json' } : { value }
  } catch (error) {
    signal.throwIfAborted()
    if (stop.signal.aborted) return 'timeout'
    return { failure: failureOf(error) }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}

function headFailure({ statusCode, headers }: Dispatcher.ResponseData): Exclude<Answer, 'timeout'> | undefined {
  if (statusCode >= 300 && statusCode < 400) return { failure: 'redirect', status: statusCode }
  if (statusCode < 200 || statusCode >= 400) return { failure: 'status', status: statusCode }
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') return { failure: 'encoding' }
  if (!isJsonType(headers['content-type'])) return { failure: 'type' }
  return undefined
}

/** Codes of undici, of TLS, and of OpenSSL for a certificate. */
const FAILURE_OF: ReadonlyMap<unknown, Failure> = new Map([
  ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'size'],
  ['UND_ERR_HEADERS_OVERFLOW', 'size'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'name'],
  ['CERT_HAS_EXPIRED', 'expired'],
  ['CERT_NOT_YET_VALID', 'expired'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'untrusted'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'untrusted'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'untrusted'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'untrusted'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'untrusted'],
  ['CERT_UNTRUSTED', 'untrusted'],
  ['CERT_SIGNATURE_FAILURE', 'untrusted'],
  ['CERT_REJECTED', 'untrusted'],
  ['INVALID_CA', 'untrusted'],
  ['INVALID_PURPOSE', 'untrusted'],
])

function failureOf(error: unknown): Failure {
  if (error instanceof ClosedAddress) return 'address'
  const { code } = error as { readonly code?: unknown }
  return FAILURE_OF.get(code) ?? 'unreachable'
}

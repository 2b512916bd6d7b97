import type { IncomingHttpHeaders } from 'node:http'
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
 * holds from the look-up of the name to the last byte. Rejects when the caller has gone.
 */
export function post(open: () => Promise<Dispatcher>, { path, headers, body, timeoutMs, signal }: Post): Promise<Answer> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const exchange = new Exchange((outcome) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', leave)
      if (outcome === 'left') reject(signal.reason)
      else resolve(outcome)
    })
    const leave = (): void => exchange.stop('left')
    const timer = setTimeout(() => exchange.stop('timeout'), timeoutMs)
    // Not AbortSignal.any: the signal of a call that nobody can stop outlives all calls, and would remember each.
    signal.addEventListener('abort', leave, { once: true })
    open().then(
      (pool) => void pool.dispatch({ method: 'POST', path, headers, body }, exchange),
      (error) => exchange.onResponseError(undefined, error),
    )
  })
}

type Outcome = Answer | 'left'

/**
 * One request and its answer, as undici tells of them. Its own streams and signals would cost more than all else that is done
 * with an answer which is taken whole. The first outcome holds; what comes after it is not heard.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #settle: (outcome: Outcome) => void
  readonly #parts: Buffer[] = []
  #abort: (() => void) | undefined
  #over = false

  constructor(settle: (outcome: Outcome) => void) {
    this.#settle = settle
  }

  /** Its connection is not used again, and what was not sent yet never is. */
  stop(outcome: Outcome): void {
    this.#end(outcome)
    this.#abort?.()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#abort = () => controller.abort(new Error('nobody waits for it any more'))
    if (this.#over) this.#abort()
  }

  onResponseStart(_controller: unknown, status: number, headers: IncomingHttpHeaders): void {
    const failure = status < 200 ? undefined : headFailure(status, headers)
    if (failure) this.stop(failure)
  }

  onResponseData(_controller: unknown, part: Buffer): void {
    this.#parts.push(part)
  }

  onResponseEnd(): void {
    this.#end(readAnswer(Buffer.concat(this.#parts)))
  }

  onResponseError(_controller: unknown, error: unknown): void {
    this.#end({ failure: failureOf(error) })
  }

  #end(outcome: Outcome): void {
    if (this.#over) return
    this.#over = true
    this.#settle(outcome)
  }
}

function headFailure(status: number, headers: IncomingHttpHeaders): Exclude<Answer, 'timeout'> | undefined {
  if (status >= 300 && status < 400) return { failure: 'redirect', status }
  if (status >= 400) return { failure: 'status', status }
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

import { signal } from '@preact/signals'
import type { CallView, DashboardView } from './contract.ts'

/** A refusal or failure: the gateway's error record, or one made here when no answer came. */
export interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details?: unknown
  readonly requestId?: string
  /** The call needs the operator's token, or a session that it has lifted. */
  readonly wantsLift?: true
}
export type Answer = { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly refusal: Refusal }

/** True if the gateway asks for a sign-in, which is then shown. */
export const locked = signal(false)
/** Special reason for showing the sign-in, or empty. */
export const notice = signal('')
/** True if the gateway answered the last request. */
export const reached = signal(true)

/** The request of a call. The session cookie, which no script reads, identifies the caller. */
export interface Wire {
  readonly method: string
  readonly url: string
  readonly body?: string
  readonly credential?: 'admin' | undefined
}

/** Fills in the parameters of the path; the rest becomes the query of a GET or DELETE, else the body. */
export function wireOf(
  { method, url, inQuery, credential }: Pick<CallView, 'method' | 'url' | 'inQuery' | 'credential'>,
  args: Readonly<Record<string, unknown>>,
): Wire {
  const rest = { ...args }
  const path = url.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value ?? ''))
  })
  if (method !== 'GET' && method !== 'DELETE' && !inQuery) return { method, url: path, body: JSON.stringify(rest), credential }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(rest)) {
    for (const one of Array.isArray(value) ? value : [value])
      query.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one))
  }
  const text = query.toString()
  return { method, url: text === '' ? path : `${path}?${text}`, credential }
}

let expected: { readonly 'x-gateway-caller'?: string } = {}

/** Binds this page to the caller whose data it shows: requests as another one are refused, and the sign-in is shown. */
export function bindTo({ tenantId, id }: DashboardView['caller']): void {
  expected = { 'x-gateway-caller': encodeURIComponent(`${tenantId} ${id}`) }
}

/** A person at the sign-in may become anybody. */
export const callerHeader = (): Readonly<Record<string, string>> => (locked.peek() ? {} : expected)

/** Throws only for an abort: a refusal is an answer too. `headers` are for this one request. */
export async function send({ method, url, body }: Wire, signal?: AbortSignal, headers: Record<string, string> = {}): Promise<Answer> {
  let response: Response
  let text: string
  try {
    response = await fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...callerHeader(),
        ...headers,
      },
      cache: 'no-cache',
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    })
    text = await response.text()
  } catch (error) {
    if (signal?.aborted) throw error
    reached.value = false
    return { ok: false, refusal: { status: 0, code: 'NOT_REACHED', message: 'The gateway does not respond.' } }
  }
  reached.value = true
  return response.ok ? { ok: true, data: parsed(text) } : { ok: false, refusal: refusalIn(response, text) }
}

/** Refusals of the caller itself: its tenant is suspended, or the browser has become another caller. */
const NO_LONGER: Readonly<Record<string, string>> = {
  CALLER_CHANGED: 'This browser is no longer signed in as the caller of this page.',
  TENANT_SUSPENDED: '',
}

/** Reads a refusal, and shows the sign-in if this page can no longer go on. */
export function refusalIn({ status, headers }: Response, text: string): Refusal {
  const refusal = refusalOf(status, parsed(text))
  const why = NO_LONGER[refusal.code]
  if (status !== 401 && why === undefined) return refusal
  if (headers.get('www-authenticate')?.startsWith('X-Admin-Token')) return { ...refusal, wantsLift: true }
  if (why !== undefined && !locked.peek()) notice.value = why || refusal.message
  locked.value = true
  return refusal
}

function refusalOf(status: number, data: unknown): Refusal {
  const { error, code, details, requestId } = (data ?? {}) as Record<string, unknown>
  return {
    status,
    code: typeof code === 'string' ? code : `HTTP_${status}`,
    message: typeof error === 'string' ? error : `The gateway answered with status ${status}.`,
    ...(details !== undefined && { details }),
    ...(typeof requestId === 'string' && { requestId }),
  }
}

function parsed(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return null
  }
}

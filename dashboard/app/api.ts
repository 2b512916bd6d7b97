import { signal } from '@preact/signals'
import type { CallView } from './contract.ts'

/** A refusal or failure, as the gateway’s error record says it, or as it is made here when no answer came. */
export interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details?: unknown
  readonly requestId?: string
}
export type Answer = { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly refusal: Refusal }

const KEPT = 'gateway.key'
/** The key this tab calls with; on the gateway’s own machine there mostly is none. */
export const key = signal(sessionStorage.getItem(KEPT))
/** Whether the gateway wants to know who asks: the page of the key is shown. */
export const locked = signal(false)
/** Whether the gateway answered the last time it was asked. */
export const reached = signal(true)

/** Call with this key from now on. It is forgotten with the tab, or with `keep: false` with the page. */
export function useKey(value: string | null, { keep = true } = {}): void {
  key.value = value
  if (value !== null && keep) sessionStorage.setItem(KEPT, value)
  else sessionStorage.removeItem(KEPT)
}

export function headers(): Record<string, string> {
  return key.value === null ? {} : { authorization: `Bearer ${key.value}` }
}

/** The request a call is made with, apart from who calls. */
export interface Wire {
  readonly method: string
  readonly url: string
  readonly body?: string
}

/** Parameters of the path are filled in, the rest is the query of a GET or DELETE, else the body. */
export function wireOf({ method, url }: Pick<CallView, 'method' | 'url'>, args: Readonly<Record<string, unknown>>): Wire {
  const rest = { ...args }
  const path = url.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value ?? ''))
  })
  if (method !== 'GET' && method !== 'DELETE') return { method, url: path, body: JSON.stringify(rest) }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(rest)) {
    for (const one of Array.isArray(value) ? value : [value])
      query.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one))
  }
  const text = query.toString()
  return { method, url: text === '' ? path : `${path}?${text}` }
}

/** Never throws but for an abort: a refusal is an answer too. */
export async function send({ method, url, body }: Wire, signal?: AbortSignal): Promise<Answer> {
  let response: Response
  let text: string
  try {
    response = await fetch(url, {
      method,
      headers: { ...headers(), accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
      cache: 'no-cache',
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    })
    text = await response.text()
  } catch (error) {
    if (signal?.aborted) throw error
    reached.value = false
    return { ok: false, refusal: { status: 0, code: 'NOT_REACHED', message: 'The gateway does not answer.' } }
  }
  reached.value = true
  const data = parsed(text)
  if (response.ok) return { ok: true, data }
  if (response.status === 401) locked.value = true
  return { ok: false, refusal: refusalOf(response.status, data) }
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

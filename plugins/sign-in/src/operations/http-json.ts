import type { Outgoing, OutgoingCaller } from '@gateway/plugin-outgoing/api'
import { isToolError } from '@gateway/sdk'
import { SignInRefusal } from '../rules/refusal.ts'

const MAX_BYTES = 262_144
const TIMEOUTS = { connectMs: 5_000, firstByteMs: 10_000, idleMs: 5_000, totalMs: 15_000 }

interface JsonRequest {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
}
export type Json = Readonly<Record<string, unknown>>

/** Sends a request to a provider and returns its answer, an object or a list. Throws a SignInRefusal that says what went wrong. */
export async function askJson(
  outgoing: Outgoing,
  { url, headers, form }: JsonRequest,
  caller: OutgoingCaller,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const { host } = new URL(url)
  const request = {
    url,
    reach: 'operator' as const,
    headers: {
      accept: 'application/json',
      'user-agent': 'gateway',
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    ...(form && { body: new URLSearchParams(form).toString() }),
    maxResponseBytes: MAX_BYTES,
    timeouts: TIMEOUTS,
  }
  const { status, body } = await outgoing.send(request, caller).catch((error: unknown) => {
    throw isToolError(error) ? new SignInRefusal(`The provider ${host} cannot be reached: ${error.message}`, 502) : error
  })
  try {
    return { status, body: JSON.parse(body.toString('utf8')) as unknown }
  } catch {
    throw new SignInRefusal(`The provider ${host} answers ${status} without JSON.`, 502)
  }
}

/** An answer that must be an object of status 200. */
export async function askObject(outgoing: Outgoing, request: JsonRequest, caller: OutgoingCaller): Promise<Json> {
  const { status, body } = await askJson(outgoing, request, caller)
  const { host, pathname } = new URL(request.url)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new SignInRefusal(`${host}${pathname} must answer an object.`, 502)
  const { error, error_description: description } = body as Json
  // GitHub answers errors with status 200.
  if (status !== 200 || typeof error === 'string') {
    const reason = typeof error === 'string' ? `: ${error}${typeof description === 'string' ? `, ${description.slice(0, 200)}` : ''}` : ''
    throw new SignInRefusal(`${host}${pathname} answers ${status}${reason}.`, 502)
  }
  return body as Json
}

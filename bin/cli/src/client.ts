import { randomUUID } from 'node:crypto'
import { CommandError, EXIT, type ServiceClient } from '@gateway/sdk/command'
import { notReached } from '@gateway/stdio-bridge/not-reached'
import type { Env } from './command.ts'
import { savedKey, savedToken } from './credentials.ts'
import { retryLost } from './retry-lost.ts'
import { localUrl, mayHaveTokens, type ServiceAddress, serviceAddress } from './service-address.ts'
import { freshToken } from './token/saved-token.ts'

/** Reads and deletions answer at once; a tool may work for long. */
interface Limits {
  readonly briefMs: number
  readonly longMs: number
  /** Number of times that a call with an idempotency key is repeated after its time has ended. */
  readonly lateRepeats?: number
}
const LIMITS: Limits = { briefMs: 10_000, longMs: 300_000 }
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Returns a client of the service that `serviceAddress` chooses. It authenticates with GATEWAY_LOCAL_TOKEN, else GATEWAY_API_KEY,
 * else the key or tokens that `gateway login` kept for this URL, else without a credential.
 */
export function connect(option: string | undefined, env: Env, limits = LIMITS): ServiceClient {
  const address = serviceAddress(option, env)
  return clientOf(
    address,
    () => callerHeaders(address, env),
    limits,
    () => loginAdvice(address, env),
  )
}

/** Returns a client of the operator's routes: it sends ADMIN_API_TOKEN, and GATEWAY_LOCAL_TOKEN if set. */
export function connectAsAdmin(option: string | undefined, env: Env): ServiceClient {
  if (!env.ADMIN_API_TOKEN) throw new CommandError(EXIT.usage, 'ADMIN_API_TOKEN must hold the operator’s token, as the service has it.')
  return clientOf(operatorAddress(option, env), { 'x-admin-token': env.ADMIN_API_TOKEN, ...localHeader(env) })
}

/** Returns a client with the trust of this machine, or with GATEWAY_LOCAL_TOKEN in its own header, and without a key. */
export const connectAsLocal = (option: string | undefined, env: Env): ServiceClient =>
  clientOf(operatorAddress(option, env), localHeader(env))

/** Returns a client of the gateway with these settings on this machine, without a credential. */
export const connectHere = (env: Env): ServiceClient => clientOf({ url: localUrl(env), source: 'local' }, {})

function operatorAddress(option: string | undefined, env: Env): ServiceAddress {
  const address = serviceAddress(option, env)
  if (mayHaveTokens(address)) return address
  throw new CommandError(
    EXIT.usage,
    `The operator’s tokens are not sent to ${address.url}, which is only remembered from \`gateway login\`: name it with --url or GATEWAY_URL.`,
  )
}

const localHeader = ({ GATEWAY_LOCAL_TOKEN: token }: Env): Record<string, string> => (token ? { 'x-gateway-local-token': token } : {})

/** Headers by which the commands of this environment identify the caller. The tokens of a login are renewed if they are about to end. */
export async function callerHeaders(address: ServiceAddress, env: Env): Promise<Record<string, string>> {
  if (env.GATEWAY_LOCAL_TOKEN && mayHaveTokens(address)) return { authorization: `Bearer ${env.GATEWAY_LOCAL_TOKEN}` }
  const key = env.GATEWAY_API_KEY || savedKey(address.url, env)
  if (key) return { 'x-api-key': key }
  const token = await freshToken(address.url, env)
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

/** Returns what to do when the credential of `callerHeaders` is refused; undefined unless `gateway login` kept it. */
export function loginAdvice(address: ServiceAddress, env: Env): string | undefined {
  const { url } = address
  if ((env.GATEWAY_LOCAL_TOKEN && mayHaveTokens(address)) || env.GATEWAY_API_KEY) return undefined
  const kept = savedKey(url, env) ?? savedToken(url, env)
  return kept && `Log in again with \`gateway login --url ${url}\`.`
}

/** Headers that identify the caller. A function is asked before each request, because tokens end while a command runs. */
type Credential = Readonly<Record<string, string>> | (() => Promise<Readonly<Record<string, string>>>)

/**
 * Turns a refusal into a CommandError with the service's sentence and record, and a missing answer into one that says what to do.
 * `adviceFor401` says what to do about a refused credential.
 */
export function clientOf(
  address: ServiceAddress,
  credential: Credential,
  limits: Limits = LIMITS,
  adviceFor401: () => string | undefined = () => undefined,
): ServiceClient {
  const { url } = address
  const { briefMs, longMs, lateRepeats } = limits
  async function request(method: Method, path: string, body?: object, more: Readonly<Record<string, string>> = {}): Promise<object> {
    const caller = typeof credential === 'function' ? await credential() : credential
    const { status, text } = await exchange(`${url}${path}`, {
      method,
      signal: AbortSignal.timeout(method === 'GET' || method === 'DELETE' ? briefMs : longMs),
      headers: { ...caller, ...more, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw unreachable(address, error)
    })
    const answer = parseObject(text)
    if (answer === undefined)
      throw new CommandError(EXIT.failure, `${url}${path} does not answer like a gateway (status ${status}, no JSON object).`)
    if (status >= 400) throw refusal(answer, status, status === 401 ? adviceFor401() : undefined)
    return answer
  }
  return {
    url,
    get: (path) => request('GET', path),
    post: (path, body, key) =>
      key === undefined
        ? request('POST', path, body)
        : retryLost(() => request('POST', path, body, { 'idempotency-key': key }), lateRepeats),
    put: (path, body) => request('PUT', path, body),
    patch: (path, body) => request('PATCH', path, body),
    call: (tool, args = {}, key = randomUUID()) =>
      retryLost(() => request('POST', `/api/tools/${encodeURIComponent(tool)}`, args, { 'idempotency-key': key }), lateRepeats),
    delete: (path) => request('DELETE', path),
    within: (ms) => clientOf(address, credential, { briefMs: Math.min(LIMITS.briefMs, ms), longMs: ms, lateRepeats: 1 }, adviceFor401),
  }
}

async function exchange(url: string, init: RequestInit): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(url, init)
  return { status: response.status, text: await response.text() }
}

function unreachable({ url, source }: ServiceAddress, cause: unknown): CommandError {
  const way =
    source === 'remembered' ? ' It is the service of the last `gateway login`; `gateway login --forget` returns to the local one.' : ''
  return Object.assign(new CommandError(EXIT.unreachable, `${notReached(url, cause)}${way}`), { cause })
}

function refusal(
  record: { readonly error?: unknown; readonly code?: unknown; readonly requestId?: unknown },
  status: number,
  advice?: string,
): CommandError {
  // Errors of the model endpoint have the form of its wire.
  const said = typeof record.error === 'object' ? (record.error as { message?: unknown } | null)?.message : record.error
  const sentence = typeof said === 'string' ? said : `The service answered with status ${status}.`
  const { code: name, requestId } = record
  // The log has the error under this id.
  const where = name === 'INTERNAL_ERROR' && typeof requestId === 'string' ? `, request ${requestId}` : ''
  const code = typeof name === 'string' ? ` (${name}${where})` : ''
  return new CommandError(EXIT.refused, [`${sentence}${code}`, advice].filter(Boolean).join(' '), record)
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

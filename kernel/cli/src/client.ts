import { CommandError, EXIT, type ServiceClient } from '@gateway/sdk/command'
import { notReached } from '@gateway/stdio-bridge/not-reached'
import type { Env } from './command.ts'
import { savedKey } from './credentials.ts'
import { dataFolder, runningIn } from './running.ts'

/** As in the settings, which a client does not load: a test keeps the two equal. */
export const DEFAULT_PORT = 7411

/**
 * `--url`, else GATEWAY_URL, else where a gateway with these settings listens on this machine: as GATEWAY_HOST and GATEWAY_PORT say, and
 * where neither is set, as the one that runs on the data folder says.
 */
export function serviceUrl(option: string | undefined, env: Env): string {
  const given = option ?? (env.GATEWAY_URL || undefined)
  const unsaid = given === undefined && !env.GATEWAY_PORT && !env.GATEWAY_HOST
  const running = unsaid ? runningIn(dataFolder(env)) : undefined
  if (running) return running.url
  if (given === undefined) return `http://${localHost(env.GATEWAY_HOST)}:${env.GATEWAY_PORT || DEFAULT_PORT}`
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    const source = option === undefined ? 'GATEWAY_URL' : '--url'
    throw new CommandError(EXIT.usage, `${source} must be a URL like http://127.0.0.1:${DEFAULT_PORT}; got ${JSON.stringify(given)}.`)
  }
  return given.replace(/\/+$/, '')
}

/** A service that listens everywhere is reached over the loopback. */
function localHost(host: string | undefined): string {
  if (!host || host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** What is only read or taken away answers at once; a tool may work for long. */
interface Limits {
  readonly briefMs: number
  readonly longMs: number
}
const LIMITS: Limits = { briefMs: 10_000, longMs: 300_000 }
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * A client of the service of this environment: at `--url` or as `serviceUrl` says. It calls as GATEWAY_LOCAL_TOKEN,
 * else GATEWAY_API_KEY, else the key that `gateway login` kept for this URL, else without a credential.
 */
export function connect(option: string | undefined, env: Env, limits = LIMITS): ServiceClient {
  const url = serviceUrl(option, env)
  return clientOf(url, callerHeaders(url, env), limits)
}

/** A client of the operator’s routes: ADMIN_API_TOKEN, and GATEWAY_LOCAL_TOKEN where one is set. */
export function connectAsAdmin(option: string | undefined, env: Env): ServiceClient {
  if (!env.ADMIN_API_TOKEN)
    throw new CommandError(EXIT.usage, 'This needs the operator’s token in the variable ADMIN_API_TOKEN, as the service has it.')
  return clientOf(serviceUrl(option, env), { 'x-admin-token': env.ADMIN_API_TOKEN, ...localHeader(env) })
}

/** A client with the trust of this machine, or GATEWAY_LOCAL_TOKEN in a header of its own, and with no key. */
export const connectAsLocal = (option: string | undefined, env: Env): ServiceClient => clientOf(serviceUrl(option, env), localHeader(env))

const localHeader = ({ GATEWAY_LOCAL_TOKEN: token }: Env): Record<string, string> => (token ? { 'x-gateway-local-token': token } : {})

/** How the commands of this environment say who calls. */
export function callerHeaders(url: string, env: Env): Record<string, string> {
  if (env.GATEWAY_LOCAL_TOKEN) return { authorization: `Bearer ${env.GATEWAY_LOCAL_TOKEN}` }
  const key = env.GATEWAY_API_KEY || savedKey(url, env)
  return key ? { 'x-api-key': key } : {}
}

/** A refusal becomes a CommandError with the service’s sentence and record; so does no answer, with what to do. */
export function clientOf(url: string, credential: Readonly<Record<string, string>>, { briefMs, longMs }: Limits = LIMITS): ServiceClient {
  async function request(method: Method, path: string, body?: object): Promise<object> {
    const { status, text } = await exchange(`${url}${path}`, {
      method,
      signal: AbortSignal.timeout(method === 'GET' || method === 'DELETE' ? briefMs : longMs),
      headers: { ...credential, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw unreachable(url, error)
    })
    const answer = parseObject(text)
    if (answer === undefined)
      throw new CommandError(EXIT.failure, `${url}${path} does not answer like a gateway (status ${status}, no JSON object).`)
    if (status >= 400) throw refusal(answer, status)
    return answer
  }
  return {
    url,
    get: (path) => request('GET', path),
    post: (path, body) => request('POST', path, body),
    put: (path, body) => request('PUT', path, body),
    patch: (path, body) => request('PATCH', path, body),
    call: (tool, args = {}) => request('POST', `/api/tools/${encodeURIComponent(tool)}`, args),
    delete: (path) => request('DELETE', path),
  }
}

async function exchange(url: string, init: RequestInit): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(url, init)
  return { status: response.status, text: await response.text() }
}

function unreachable(url: string, error: unknown): CommandError {
  return new CommandError(EXIT.unreachable, notReached(url, error))
}

function refusal(
  record: { readonly error?: unknown; readonly code?: unknown; readonly requestId?: unknown },
  status: number,
): CommandError {
  const sentence = typeof record.error === 'string' ? record.error : `The service answered with status ${status}.`
  const { code: name, requestId } = record
  // The log has what went wrong under this id.
  const where = name === 'INTERNAL_ERROR' && typeof requestId === 'string' ? `, request ${requestId}` : ''
  const code = typeof name === 'string' ? ` (${name}${where})` : ''
  return new CommandError(EXIT.refused, `${sentence}${code}`, record)
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

import { notReached } from '@gateway/stdio-bridge/not-reached'
import type { Env } from './command.ts'
import { savedKey } from './credentials.ts'
import { CliError, EXIT } from './exit.ts'
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
    throw new CliError(EXIT.usage, `${source} must be a URL like http://127.0.0.1:${DEFAULT_PORT}; got ${JSON.stringify(given)}.`)
  }
  return given.replace(/\/+$/, '')
}

/** A service that listens everywhere is reached over the loopback. */
function localHost(host: string | undefined): string {
  if (!host || host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** A page of the service answers at once; a tool may work for long. */
const LIMIT_MS: Readonly<Record<'GET' | 'POST', number>> = { GET: 10_000, POST: 300_000 }

/** The service as its clients see it: JSON over HTTP. */
export interface Client {
  readonly url: string
  get(path: string): Promise<object>
  post(path: string, body: object): Promise<object>
  delete(path: string): Promise<object>
}

/**
 * A client of the service of this environment: at `--url` or as `serviceUrl` says. It calls as GATEWAY_LOCAL_TOKEN,
 * else GATEWAY_API_KEY, else the key that `gateway login` kept for this URL, else without a credential.
 */
export function connect(option: string | undefined, env: Env, limitMs = LIMIT_MS): Client {
  const url = serviceUrl(option, env)
  return clientOf(url, callerHeaders(url, env), limitMs)
}

/** A client of the operator’s routes: ADMIN_API_TOKEN, and GATEWAY_LOCAL_TOKEN where one is set. */
export function connectAsAdmin(option: string | undefined, env: Env): Client {
  if (!env.ADMIN_API_TOKEN)
    throw new CliError(EXIT.usage, 'This needs the operator’s token in the variable ADMIN_API_TOKEN, as the service has it.')
  const local: Record<string, string> = env.GATEWAY_LOCAL_TOKEN ? { 'x-gateway-local-token': env.GATEWAY_LOCAL_TOKEN } : {}
  return clientOf(serviceUrl(option, env), { 'x-admin-token': env.ADMIN_API_TOKEN, ...local }, LIMIT_MS)
}

/** How the commands of this environment say who calls. */
export function callerHeaders(url: string, env: Env): Record<string, string> {
  if (env.GATEWAY_LOCAL_TOKEN) return { authorization: `Bearer ${env.GATEWAY_LOCAL_TOKEN}` }
  const key = env.GATEWAY_API_KEY || savedKey(url, env)
  return key ? { 'x-api-key': key } : {}
}

/** A refusal becomes a CliError with the service’s sentence and record; so does no answer, with what to do. */
export function clientOf(
  url: string,
  credential: Readonly<Record<string, string>>,
  limitMs: Readonly<Record<'GET' | 'POST', number>> = LIMIT_MS,
): Client {
  async function request(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<object> {
    const { status, text } = await exchange(`${url}${path}`, {
      method,
      signal: AbortSignal.timeout(limitMs[method === 'POST' ? 'POST' : 'GET']),
      headers: { ...credential, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw unreachable(url, error)
    })
    const answer = parseObject(text)
    if (answer === undefined)
      throw new CliError(EXIT.failure, `${url}${path} does not answer like a gateway (status ${status}, no JSON object).`)
    if (status >= 400) throw refusal(answer, status)
    return answer
  }
  return {
    url,
    get: (path) => request('GET', path),
    post: (path, body) => request('POST', path, body),
    delete: (path) => request('DELETE', path),
  }
}

async function exchange(url: string, init: RequestInit): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(url, init)
  return { status: response.status, text: await response.text() }
}

export function unreachable(url: string, error: unknown): CliError {
  return new CliError(EXIT.unreachable, notReached(url, error))
}

function refusal(record: { readonly error?: unknown; readonly code?: unknown; readonly requestId?: unknown }, status: number): CliError {
  const sentence = typeof record.error === 'string' ? record.error : `The service answered with status ${status}.`
  const { code: name, requestId } = record
  // The log has what went wrong under this id.
  const where = name === 'INTERNAL_ERROR' && typeof requestId === 'string' ? `, request ${requestId}` : ''
  const code = typeof name === 'string' ? ` (${name}${where})` : ''
  return new CliError(EXIT.refused, `${sentence}${code}`, record)
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

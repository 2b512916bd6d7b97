import { SESSION_COOKIE } from '@gateway/sdk'

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** Session of the browser before the operator entered a tenant. Sent only to the sign-in routes. */
const BEFORE = `${SESSION_COOKIE}_before`
const OWN_PATH = '/api/sign-in'

/** The session that a cookie names: `<tenantId>:<sessionId>:<secret>`. */
export interface Ticket {
  readonly tenantId: string
  readonly sessionId: string
  readonly secret: string
}
export const writeTicket = ({ tenantId, sessionId, secret }: Ticket): string => `${tenantId}:${sessionId}:${secret}`

export function readTicket(value: string | undefined): Ticket | undefined {
  const [tenantId, sessionId, secret, ...more] = value?.split(':') ?? []
  return tenantId && sessionId && secret && more.length === 0 ? { tenantId, sessionId, secret } : undefined
}

/**
 * Browsers keep a cookie a day longer than its session lasts: a late caller is refused once, instead of silently counting as a
 * caller without a session, such as the operator on this machine.
 */
const LONGER_SECONDS = 86_400

export const sessionCookie = (headers: Headers): string | undefined => read(headers, SESSION_COOKIE)
export const beforeCookie = (headers: Headers): string | undefined => read(headers, BEFORE)

export const setSession = (headers: Headers, value: string, seconds: number): string =>
  write(headers, SESSION_COOKIE, value, '/', seconds + LONGER_SECONDS)
export const dropSession = (headers: Headers): string => write(headers, SESSION_COOKIE, '', '/', 0)
export const setBefore = (headers: Headers, value: string, seconds: number): string =>
  write(headers, BEFORE, value, OWN_PATH, seconds + LONGER_SECONDS)
export const dropBefore = (headers: Headers): string => write(headers, BEFORE, '', OWN_PATH, 0)

function read({ cookie }: Headers, name: string): string | undefined {
  if (typeof cookie !== 'string') return undefined
  const pairs = cookie.split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}

function write(headers: Headers, name: string, value: string, path: string, seconds: number): string {
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${cameByTls(headers) ? '; Secure' : ''}`
}

/** A false claim only keeps the cookie from plain HTTP. */
function cameByTls({ origin, 'x-forwarded-proto': proto, forwarded }: Headers): boolean {
  if (typeof origin === 'string' && origin.startsWith('https://')) return true
  if (typeof proto === 'string' && /^https\b/i.test(proto)) return true
  return typeof forwarded === 'string' && /(?:^|[;,\s])proto="?https/i.test(forwarded)
}

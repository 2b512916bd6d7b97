const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])
const MAX = 2_000
/** Schemes that run or read something instead of leading to an app. */
const UNSAFE: ReadonlySet<string> = new Set([
  'javascript:',
  'data:',
  'file:',
  'vbscript:',
  'blob:',
  'about:',
  'view-source:',
  'filesystem:',
  'jar:',
  'ftp:',
  'ws:',
  'wss:',
])

const isLoopback = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && LOOPBACK_HOSTS.has(hostname)

/** True for https, http on the loopback, and the private scheme of an app. Never with a fragment or credentials. */
export function isSafeRedirect(text: string): boolean {
  if (text.length > MAX || !/^[\x21-\x7e]+$/.test(text) || text.includes('#') || text.includes('\\') || !URL.canParse(text)) return false
  const url = new URL(text)
  if (url.username !== '' || url.password !== '' || UNSAFE.has(url.protocol)) return false
  return (
    url.protocol === 'https:' || isLoopback(url) || (url.protocol !== 'http:' && /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)*:$/.test(url.protocol))
  )
}

/** Compares as text. The port of a loopback address may differ, because a native app takes a free one (RFC 8252, 7.3). */
export function isRegistered(redirect: string, registered: readonly string[]): boolean {
  if (registered.includes(redirect)) return true
  const url = new URL(redirect)
  if (!isLoopback(url)) return false
  return registered.some((one) => URL.canParse(one) && isLoopback(new URL(one)) && withoutPort(one) === withoutPort(redirect))
}

const withoutPort = (text: string): string => text.replace(/^(http:\/\/(?:\[::1\]|[^/:?]+))(?::\d+)?/, '$1')

/**
 * The receiver of a result, as the consent page names it. The host of a private scheme is chosen by the app, so that it could name somebody
 * else; a program on the person's own machine may be any program.
 */
export function receiverOf(redirect: string): string {
  const url = new URL(redirect)
  if (isLoopback(url)) return `${url.host}, a program on this computer`
  return url.protocol === 'https:' ? url.host : `an app on this computer that opens ${url.protocol} addresses`
}

/** The address that the browser goes to, with the result added to its query, and the issuer (RFC 9207). */
export function withResult(redirect: string, result: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(redirect)
  for (const [name, value] of Object.entries(result)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

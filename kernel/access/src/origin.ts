import type { RequestFacts } from '@gateway/kernel'
import { Forbidden } from '@gateway/sdk'
import type { Settings } from '@gateway/settings'
import { hostName, LOOPBACK_NAMES, originParts } from '@gateway/settings'

type Names = Pick<Settings, 'allowedHosts' | 'allowedOrigins'>

/**
 * Requires Host to be a loopback name of this machine or an allowed name: a web page that rebinds its own name to 127.0.0.1
 * sends that name here. Throws FORBIDDEN.
 */
export function checkHost({ host }: Pick<RequestFacts, 'host'>, { allowedHosts }: Names): void {
  const name = host === undefined ? undefined : hostName(host)
  if (name === undefined || !(LOOPBACK_NAMES.has(name) || allowedHosts.includes(name))) {
    throw Forbidden({ message: `Host ${quote(host)} is not a name of this gateway; GATEWAY_ALLOWED_HOSTS adds names.` })
  }
}

/**
 * Requires Origin to be absent, the gateway's own or allowed: a browser sends it, an agent does not. The port counts, because
 * any program on this machine may serve pages on another port. Throws FORBIDDEN.
 */
export function checkOrigin(request: RequestFacts, settings: Names): void {
  if (request.origin !== undefined && !isAllowedOrigin(request.origin, request, settings)) {
    throw Forbidden({
      message: `Origin ${quote(request.origin)} is not allowed here; GATEWAY_ALLOWED_ORIGINS adds origins, with their port.`,
    })
  }
}

/**
 * A browser attaches its cookies to every request that a page makes, so a change counts only if a page of this gateway made the
 * request: Sec-Fetch-Site says so, or an Origin that has been checked. Throws FORBIDDEN.
 */
export function checkOwnPage({ method = 'GET', origin, headers }: RequestFacts): void {
  if (method === 'GET' || method === 'HEAD' || origin !== undefined || headers['sec-fetch-site'] === 'same-origin') return
  throw Forbidden({
    message:
      'A change with a cookie is accepted only from a page of this gateway: it needs Sec-Fetch-Site: same-origin, or an Origin. A program sends its key as x-api-key.',
  })
}

function isAllowedOrigin(origin: string, { host, port }: RequestFacts, { allowedHosts, allowedOrigins }: Names): boolean {
  const parts = originParts(origin)
  if (!parts) return false
  if (allowedOrigins.includes(parts.origin)) return true
  // Without TLS of its own the gateway serves http; behind a proxy the scheme is the proxy's.
  if (LOOPBACK_NAMES.has(parts.name)) return parts.scheme === 'http' && parts.port === port
  return allowedHosts.includes(parts.name) && host?.toLowerCase() === parts.authority
}

function quote(value: string | undefined): string {
  return value === undefined ? '(absent)' : JSON.stringify(value.slice(0, 200))
}

import type { RequestFacts } from '@gateway/kernel'
import type { Settings } from '@gateway/settings'
import { hostName, LOOPBACK_NAMES } from '@gateway/settings'

/**
 * Explains why a request without a credential does not come from the local operator; undefined if it does. The caller has
 * checked Origin. A proxy or tunnel on this machine makes everyone's requests come from the loopback, so each sign of one ends
 * the trust: a Host that others may use, HTTP/1.0 (nginx before 1.29.7 speaks it to its upstream by default), or a header that
 * proxies add. A page of another site does too; the browser marks its requests.
 */
export function whyNotLocal(request: RequestFacts, settings: Pick<Settings, 'loopbackTrust'>): string | undefined {
  const { peerAddress, host, httpVersion, headers } = request
  if (!settings.loopbackTrust) return 'no address is trusted here (see GATEWAY_LOOPBACK_TRUST and GATEWAY_ALLOWED_HOSTS)'
  if (!isLoopback(peerAddress)) return 'it does not come from this machine'
  if (!LOOPBACK_NAMES.has(hostName(host ?? '') ?? '')) return `its Host is not localhost, 127.0.0.1 or [::1]`
  if (httpVersion !== '1.1') return `it is HTTP/${httpVersion}, as proxies send`
  const sign = proxyHeader(headers)
  if (sign !== undefined) return `its header ${sign} says that it was forwarded`
  const site = headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') return 'the page of another origin sends it'
  return undefined
}

function isLoopback(address: string): boolean {
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address
  return plain === '::1' || plain.startsWith('127.')
}

/** Headers that proxies, tunnels and content networks add. */
const PROXY_HEADER =
  /^(?:forwarded|via|x-forwarded.*|x-real-.*|x-nginx-.*|x-original-.*|x-envoy-.*|x-rewrite-url|x-varnish|x-scheme|x-arr-.*|x-azure-.*|x-appengine-.*|x-proxy.*|proxy-.*|cdn-.*|cf-.*|fastly-.*|fly-.*|ngrok-.*|tailscale-.*|surrogate-capability|(?:.*-)?client-?ip|.*-connecting-ip|.*-(?:user|real)-ip|(?:.*-)?remote-(?:ip|addr)|.*cluster-ip)$/

function proxyHeader(headers: RequestFacts['headers']): string | undefined {
  for (const name in headers) if (PROXY_HEADER.test(name)) return name
  return undefined
}

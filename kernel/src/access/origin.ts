import { Forbidden } from '@gateway/sdk'
import type { Settings } from '../settings/settings.ts'

/** What identification looks at. `peerAddress` is the socket’s peer, never a header. */
export interface RequestFacts {
  readonly peerAddress: string
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** The tenant that local, uncredentialed callers act on. */
export const LOCAL_TENANT = 'local'

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Host must be a name of this machine’s loopback or an allowed one: a web page that rebinds its own name to 127.0.0.1
 * carries that name here. Origin must be absent or of an allowed host: a browser sends it, an agent does not. Throws
 * FORBIDDEN.
 */
export function checkHost({ host, origin }: RequestFacts, settings: Settings): void {
  if (host === undefined || !isAllowed(hostName(host), settings)) {
    throw Forbidden({ message: `Host ${quote(host)} is not a name of this gateway; GATEWAY_ALLOWED_HOSTS adds names.` })
  }
  if (origin !== undefined && !isAllowed(originHost(origin), settings)) {
    throw Forbidden({ message: `Origin ${quote(origin)} is not allowed here; GATEWAY_ALLOWED_HOSTS adds hosts.` })
  }
}

function isAllowed(name: string | undefined, settings: Settings): boolean {
  return name !== undefined && (LOOPBACK_NAMES.has(name) || settings.allowedHosts.includes(name))
}

// Most requests name the same host as the last one: comparing is cheaper than taking it apart.
let lastHost = ''
let lastName: string | undefined
function hostName(host: string): string | undefined {
  if (host !== lastHost) {
    lastName = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase()
    lastHost = host
  }
  return lastName
}

function originHost(origin: string): string | undefined {
  return /^https?:\/\/(.+)$/i.exec(origin)?.[1] === undefined ? undefined : hostName(origin.slice(origin.indexOf('//') + 2))
}

/** The peer is this machine, and nothing says the request was forwarded: a proxy’s peer address is not its client’s. */
export function isTrustedLocal(request: RequestFacts): boolean {
  return isLoopback(request.peerAddress) && !isForwarded(request)
}

function isLoopback(address: string): boolean {
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address
  return plain === '::1' || plain.startsWith('127.')
}

function isForwarded({ headers }: RequestFacts): boolean {
  return (headers.forwarded ?? headers['x-forwarded-for'] ?? headers['x-forwarded-host'] ?? headers['x-real-ip']) !== undefined
}

function quote(value: string | undefined): string {
  return value === undefined ? '(absent)' : JSON.stringify(value.slice(0, 200))
}

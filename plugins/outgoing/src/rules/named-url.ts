import { isIP } from 'node:net'
import { isLoopbackAddress, isPublicAddress } from './addresses.ts'

export interface NamedUrl {
  readonly url: URL
  readonly loopback: boolean
}
/** Completes a sentence after “must be one that”. */
export interface UrlFault {
  readonly fault: string
}
export interface UrlRules {
  /** Ports that a URL of the public internet may have; on this machine any. */
  readonly ports: readonly number[]
  /** True if it may lead to this machine: only for the local operator. */
  readonly mayLoopBack: boolean
}

const MAX_LENGTH = 2_000
/** Names that mean something in a private network only, or nothing. */
const CLOSED_ENDINGS = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|arpa|onion|test|invalid|alt)$/
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Checks the text of a URL; its resolved addresses are checked on connecting. The host must be written plainly: the parser
 * reads `0x7f.1` and full-width letters as the same machine, but a person who checks the list does not.
 */
export function readUrl(text: string, rules: UrlRules): NamedUrl | UrlFault {
  if (text.length > MAX_LENGTH) return { fault: `has at most ${MAX_LENGTH} characters; got ${text.length}` }
  if (!/^[\x21-\x7e]+$/.test(text)) return { fault: 'is written in ASCII, without spaces' }
  const parts = /^(https?):\/\/([^/?#\\]*)([^#\\]*)$/.exec(text)
  if (!parts) return { fault: 'reads https://host/path, without a fragment or a backslash' }
  const [, scheme, authority = ''] = parts
  if (authority.includes('@')) return { fault: 'carries no user name or password' }
  if (!URL.canParse(text)) return { fault: 'is a URL' }
  const url = new URL(text)
  const written = authority.replace(/:\d*$/, '')
  const notation = written.toLowerCase() === url.hostname ? undefined : { fault: `names its host in the plain notation: ${url.hostname}` }

  // A host that is refused in any notation is refused for what it is.
  const loopback = isLoopbackHost(url.hostname)
  if (loopback) {
    if (!rules.mayLoopBack) return { fault: 'leads to this machine only when the local operator registers it' }
    if (notation) return notation
    return url.port === '0' ? { fault: 'has a port above 0' } : { url, loopback }
  }
  const fault = hostFault(url.hostname)
  if (fault !== undefined) return { fault }
  if (notation) return notation
  if (scheme !== 'https') return { fault: 'is https; http is for this machine alone, and for the local operator' }
  const port = url.port === '' ? 443 : Number(url.port)
  if (!rules.ports.includes(port)) return { fault: `has one of the ports ${rules.ports.join(', ')}; got ${port}` }
  return { url, loopback }
}

const isLoopbackHost = (host: string): boolean => host === 'localhost' || isLoopbackAddress(addressOf(host) ?? '')

/** An address as the host of a URL; undefined for a name. */
function addressOf(host: string): string | undefined {
  const bare = host.startsWith('[') ? host.slice(1, -1) : host
  return isIP(bare) === 0 ? undefined : bare
}

function hostFault(host: string): string | undefined {
  const address = addressOf(host)
  if (address !== undefined) return isPublicAddress(address) ? undefined : 'leads to an address of the open internet'
  const labels = host.split('.')
  if (host.length > 253 || labels.length < 2 || !labels.every((label) => LABEL.test(label)))
    return 'names its host in full, as tools.example.com'
  if (labels.some((label) => label.startsWith('xn--'))) return 'has a host in ASCII: names that look like others are not accepted'
  if (CLOSED_ENDINGS.test(host)) return 'names a host of the open internet'
  return undefined
}

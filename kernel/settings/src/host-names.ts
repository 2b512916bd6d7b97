/** Names by which only this machine reaches itself. */
export const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

const NAME = String.raw`(\[[0-9a-f:.]+\]|[a-z0-9._-]+)`
const HOST = new RegExp(`^${NAME}(?::(\\d{1,5}))?$`, 'i')
const ORIGIN = new RegExp(`^(https?)://(${NAME}(?::(\\d{1,5}))?)$`, 'i')

// Most requests name the same host as the last one, and comparing is cheaper than parsing.
let lastHost = ''
let lastName: string | undefined

/** The name in a Host header, in lower case; undefined if it is invalid. */
export function hostName(host: string): string | undefined {
  if (host !== lastHost) {
    lastName = HOST.exec(host)?.[1]?.toLowerCase()
    lastHost = host
  }
  return lastName
}

export interface OriginParts {
  readonly scheme: 'http' | 'https'
  readonly name: string
  readonly port: number
  /** The form that a browser writes into Host: without the scheme's default port. */
  readonly authority: string
  /** The whole origin, in the form that is compared. */
  readonly origin: string
}

const DEFAULT_PORTS = { http: 80, https: 443 } as const

/** A parsed Origin; undefined for one that no web page has. */
export function originParts(origin: string): OriginParts | undefined {
  const match = ORIGIN.exec(origin)
  if (!match) return undefined
  const scheme = (match[1] as string).toLowerCase() as OriginParts['scheme']
  const name = (match[3] as string).toLowerCase()
  const port = match[4] === undefined ? DEFAULT_PORTS[scheme] : Number(match[4])
  const authority = port === DEFAULT_PORTS[scheme] ? name : `${name}:${port}`
  return { scheme, name, port, authority, origin: `${scheme}://${authority}` }
}

import { BlockList, isIP, isIPv6 } from 'node:net'

interface FromAddress {
  readonly peerAddress: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Returns the address that wrong credentials are counted for and that the audit trail names. */
export type ClientAddress = (request: FromAddress) => string

/**
 * Returns the socket's peer, unless the peer is a trusted proxy: then the last address of X-Forwarded-For that is not a
 * trusted proxy. Anyone can write the addresses before that one. The result never makes a caller local.
 */
export function clientAddress(trustedProxies: readonly string[]): ClientAddress {
  if (trustedProxies.length === 0) return ({ peerAddress }) => peerAddress
  const proxies = proxyList(trustedProxies)
  const isProxy = (address: string): boolean => proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  return ({ peerAddress, headers }) => {
    let client = plainAddress(peerAddress)
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
    while (isIP(client) !== 0 && isProxy(client)) {
      const before = plainAddress(forwarded.pop()?.trim() ?? '')
      if (isIP(before) === 0) break
      client = before
    }
    return client
  }
}

/** Throws if an entry is neither an address nor a network. */
function proxyList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** Removes the port that some proxies append, and the prefix of an IPv4 address on an IPv6 socket. */
function plainAddress(text: string): string {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text
  return bare.replace(/^::ffff:(?=\d+\.)/i, '')
}

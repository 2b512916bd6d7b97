import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The allocated range of IPv6. Addresses that carry an IPv4 address (mapped, NAT64) are outside it. */
const GLOBAL_UNICAST = ipaddr.IPv6.parse('2000::')
/** Services of the network itself, which the library treats as ordinary hosts. */
const OF_THE_NET = ['192.31.196.0/24', '192.52.193.0/24', '192.175.48.0/24', '2620:4f:8000::/48', '2001::/23', '3fff::/20'].map((range) =>
  ipaddr.parseCIDR(range),
)

/** True for an address of the public internet, in Node's notation. Text that is not an address is not. */
export function isPublicAddress(text: string): boolean {
  // A zone makes it local. The library reads more notations than Node writes.
  if (isIP(text) === 0 || text.includes('%')) return false
  // Not `process`, which extracts an IPv4 address from an IPv6 one: no name of the public internet resolves to such an address.
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv6 && !address.match(GLOBAL_UNICAST, 3)) return false
  return !OF_THE_NET.some(([base, bits]) => base.kind() === address.kind() && (address as ipaddr.IPv4).match(base as ipaddr.IPv4, bits))
}

export function isLoopbackAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%') && ipaddr.parse(text).range() === 'loopback'
}

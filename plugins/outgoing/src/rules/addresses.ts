import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** What is given out of IPv6 to be routed. What carries an IPv4 address elsewhere (mapped, NAT64) is outside of it. */
const GLOBAL_UNICAST = ipaddr.IPv6.parse('2000::')
/** Services of the net itself, which the library takes for hosts like any other. */
const OF_THE_NET = ['192.31.196.0/24', '192.52.193.0/24', '192.175.48.0/24', '2620:4f:8000::/48', '2001::/23', '3fff::/20'].map((range) =>
  ipaddr.parseCIDR(range),
)

/** Whether an address, in the notation of Node, is one of the open internet. Text that is no address is not. */
export function isPublicAddress(text: string): boolean {
  // A zone makes it local, whatever is before it. The library reads more notations than Node writes.
  if (isIP(text) === 0 || text.includes('%')) return false
  // Not `process`, which takes an IPv4 address out of an IPv6 one that carries it: no name of the open internet leads to such a one.
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv6 && !address.match(GLOBAL_UNICAST, 3)) return false
  return !OF_THE_NET.some(([base, bits]) => base.kind() === address.kind() && (address as ipaddr.IPv4).match(base as ipaddr.IPv4, bits))
}

export function isLoopbackAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%') && ipaddr.parse(text).range() === 'loopback'
}

import { isIP } from 'node:net'
import { hostName, LOOPBACK_NAMES, originParts } from './host-names.ts'

const HOST_ENTRY = /^(?:\[[0-9a-f:.]+\]|(?!-)[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)$/

/**
 * The names of GATEWAY_ALLOWED_HOSTS in compared form. An entry that no Host header could match is a fault: ignored silently,
 * it would seem to work.
 */
export function hostEntries(entries: readonly string[], faults: string[]): readonly string[] {
  return entries.map((entry) => {
    const name = entry.toLowerCase()
    if (!HOST_ENTRY.test(name) || (name.startsWith('[') && isIP(name.slice(1, -1)) !== 6)) {
      faults.push(
        `GATEWAY_ALLOWED_HOSTS takes names as they stand in Host, without scheme, port, path or wildcard, IPv6 in brackets, such as gateway.example or [2001:db8::1]; got ${JSON.stringify(entry)}.`,
      )
    }
    return name
  })
}

/** The origins of GATEWAY_ALLOWED_ORIGINS in compared form. */
export function originEntries(entries: readonly string[], faults: string[]): readonly string[] {
  return entries.map((entry) => {
    const origin = originParts(entry)?.origin
    if (origin === undefined) {
      faults.push(
        `GATEWAY_ALLOWED_ORIGINS takes origins as a browser sends them, without a path, such as https://board.example or http://localhost:3000; got ${JSON.stringify(entry)}.`,
      )
    }
    return origin ?? entry
  })
}

export function checkProxyEntries(entries: readonly string[], faults: string[]): void {
  for (const entry of entries) {
    const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
    const family = isIP(address)
    if (family === 0 || Number(bits ?? 0) > (family === 6 ? 128 : 32)) {
      faults.push(`GATEWAY_TRUSTED_PROXIES takes addresses and networks, such as 192.0.2.7 or 10.0.0.0/8; got ${JSON.stringify(entry)}.`)
    }
  }
}

export const hasNonLoopbackHost = (hosts: readonly string[]): boolean => hosts.some((host) => !LOOPBACK_NAMES.has(hostName(host) ?? host))

export const listensElsewhere = (host: string): boolean => host !== 'localhost' && host !== '::1' && !host.startsWith('127.')

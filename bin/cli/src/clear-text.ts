import type { Output } from './output.ts'

export const isLocal = (url: string): boolean => /^https?:\/\/(localhost|127\.[\d.]+|\[::1\])(:|\/|$)/.test(url)

/**
 * Warns that a key sent to another machine without TLS can be read by everyone on the way. The call is made nevertheless: the way
 * may be a tunnel of its own.
 */
export function warnOfClearText(url: string, output: Output): void {
  if (url.startsWith('http:') && !isLocal(url))
    output.complain(
      `gateway: ${url} is not encrypted: others on the network can read the key and all data. Use https, through a proxy with TLS.`,
    )
}

import type { Output } from './output.ts'

export const isLocal = (url: string): boolean => /^https?:\/\/(localhost|127\.[\d.]+|\[::1\])(:|\/|$)/.test(url)

/** A key that is sent to another machine without TLS is everyone’s on the way. It is said, and done: the way may be a tunnel of its own. */
export function warnOfClearText(url: string, output: Output): void {
  if (url.startsWith('http:') && !isLocal(url))
    output.complain(
      `gateway: ${url} is not encrypted: whoever is on the way reads the key and all the rest. Use https, through a proxy with TLS.`,
    )
}

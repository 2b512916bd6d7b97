import type { IncomingHttpHeaders } from 'node:http'
import { cutText } from '@gateway/sdk'
import type { Params } from '../jsonrpc.ts'
import { decodeHeader } from './header-values.ts'
import type { MethodFacts } from './methods.ts'
import { VERSIONS } from './protocol.ts'
import { headerMismatch, unsupportedVersion } from './refusal.ts'

/**
 * Headers repeat parts of the body, so that proxies can route without reading it. The gateway must act on the same values as
 * the proxy, so a missing or different header is refused.
 */
export function checkVersion(headers: IncomingHttpHeaders, version: string): void {
  const given = headers['mcp-protocol-version']
  if (given !== version) throw differs('MCP-Protocol-Version', given, version)
  if (!VERSIONS.includes(version)) throw unsupportedVersion(version)
}

export function checkRouting(headers: IncomingHttpHeaders, method: string, facts: MethodFacts | undefined, params: Params): void {
  const given = headers['mcp-method']
  if (given !== method) throw differs('Mcp-Method', given, method)
  if (facts?.name === undefined) return
  const value = params[facts.name]
  // A name that the body omits is refused by the method itself, which says what is missing.
  if (typeof value === 'string') checkHeader('Mcp-Name', headers['mcp-name'] as string | undefined, value)
}

export function checkHeader(name: string, given: string | undefined, value: string): void {
  if (given === undefined || decodeHeader(given) !== value) throw differs(name, given, value)
}

export function differs(name: string, given: string | string[] | undefined, value: unknown): Error {
  const shown = (one: unknown): string => cutText(JSON.stringify(one), 100)
  return headerMismatch(
    given === undefined
      ? `the header ${name} is missing; the body has ${shown(value)}`
      : `${name} is ${shown(given)}, the body has ${shown(value)}`,
  )
}

import type { RequestFacts } from '@gateway/kernel'
import { SESSION_COOKIE } from '@gateway/sdk'

export interface Given {
  readonly kind: 'api-key' | 'bearer' | 'local-token' | 'session' | 'cookie'
  readonly value: string
}

/** Reads the credential of a request. An empty or repeated header counts as a wrong credential, not as a missing one. */
export function credentialOf(headers: RequestFacts['headers']): Given | undefined {
  const { 'x-api-key': apiKey, authorization, 'x-gateway-local-token': localToken, cookie } = headers
  if (apiKey !== undefined) return { kind: 'api-key', value: single(apiKey) ?? '' }
  if (authorization !== undefined) return { kind: 'bearer', value: /^Bearer +(\S+)$/i.exec(single(authorization) ?? '')?.[1] ?? '' }
  if (localToken !== undefined) return { kind: 'local-token', value: single(localToken) ?? '' }
  const session = sessionCookie(cookie)
  if (session !== undefined) return { kind: 'session', value: session }
  const token = cookie === undefined ? undefined : /(?:^|;\s*)svc_token=([^;\s]*)/.exec(single(cookie) ?? '')?.[1]
  return token === undefined ? undefined : { kind: 'cookie', value: token }
}

const SESSION = new RegExp(`(?:^|;\\s*)${SESSION_COOKIE}=([^;\\s]*)`)
export const sessionCookie = (cookie: RequestFacts['headers'][string]): string | undefined =>
  cookie === undefined ? undefined : SESSION.exec(single(cookie) ?? '')?.[1]

/** Returns a header that was sent exactly once. */
export const single = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? undefined : header)

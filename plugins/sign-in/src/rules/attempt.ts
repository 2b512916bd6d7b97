import { createHash, randomBytes } from 'node:crypto'
import { isSameText } from '@gateway/sdk/secrets'

/**
 * A sign-in that is under way at a provider. It is kept in a cookie of the browser that began it, so it binds the answer to that
 * browser, needs no store, and works on every node.
 */
export interface Attempt {
  readonly provider: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly returnTo: string
  /** Epoch milliseconds. */
  readonly until: number
  readonly invitation?: string
  readonly tenantId?: string
}

const ATTEMPT_SECONDS = 600
const MAX_COOKIE = 3_800

const random = (): string => randomBytes(32).toString('base64url')

export const newAttempt = (of: Pick<Attempt, 'provider' | 'returnTo' | 'invitation' | 'tenantId'>, now: number): Attempt => ({
  ...of,
  state: random(),
  nonce: random(),
  verifier: random(),
  until: now + ATTEMPT_SECONDS * 1_000,
})

/** The S256 challenge of PKCE (RFC 7636). */
export const challengeOf = ({ verifier }: Attempt): string => createHash('sha256').update(verifier).digest('base64url')

/** Over https the prefix keeps other hosts of the domain from setting the cookie. */
const nameOf = (publicUrl: string): string => (publicUrl.startsWith('https:') ? '__Host-gateway_attempt' : 'gateway_attempt')

/** `Lax`, because the provider's redirect comes from another site. */
export function attemptCookie(publicUrl: string, attempt: Attempt | undefined): string {
  const value = attempt === undefined ? '' : Buffer.from(JSON.stringify(attempt)).toString('base64url')
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  return `${nameOf(publicUrl)}=${value}; Path=/; Max-Age=${attempt ? ATTEMPT_SECONDS : 0}; HttpOnly; SameSite=Lax${secure}`
}

/** The attempt that a browser's cookie has, if it is for this provider, of this state and in time. */
export function readAttempt(
  publicUrl: string,
  cookie: unknown,
  { provider, state, now }: { provider: string; state: string; now: number },
): Attempt | undefined {
  const name = `${nameOf(publicUrl)}=`
  const values = typeof cookie === 'string' ? cookie.split(';').map((pair) => pair.trim()) : []
  const text = values.find((pair) => pair.startsWith(name))?.slice(name.length) ?? ''
  if (text === '' || text.length > MAX_COOKIE) return undefined
  const found = parsed(text)
  return found && found.provider === provider && found.until > now && isSameText(found.state, state) ? found : undefined
}

function parsed(text: string): Attempt | undefined {
  try {
    const found: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    const { provider, state, nonce, verifier, returnTo, until } = found as Attempt
    const isWhole = [provider, state, nonce, verifier, returnTo].every((value) => typeof value === 'string')
    return isWhole && typeof until === 'number' ? (found as Attempt) : undefined
  } catch {
    return undefined
  }
}

const PAGES = /^\/(?:dashboard(?:\/|$)|oauth\/(?:authorize|device)(?:\?|$))/

/** A page of this gateway to return to, or its dashboard: never another site. */
export function safeReturn(path: string | undefined): string {
  if (path === undefined || path.length > 2_500 || !/^\/[\x21-\x7e]*$/.test(path) || path.includes('\\') || !PAGES.test(path))
    return '/dashboard/'
  // A base that no path can name shows whether the address leaves the host.
  return new URL(path, 'http://own.invalid').host === 'own.invalid' ? path : '/dashboard/'
}

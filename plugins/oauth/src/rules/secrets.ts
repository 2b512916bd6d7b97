import { matches } from '@gateway/sdk/secrets'

const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/
export const isChallenge = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)
/** PKCE, S256 (RFC 7636). */
export const provesChallenge = (verifier: string, challenge: string | undefined): boolean =>
  VERIFIER.test(verifier) && matches(verifier, challenge)

/** Parts of `<tenantId>~<id>~<secret>…`, as codes and tokens are written. `undefined` for any other text. */
export function partsOf(text: string, count: number): readonly string[] | undefined {
  const parts = text.length > 500 ? [] : text.split('~')
  return parts.length === count && parts.every((part) => part !== '') ? parts : undefined
}

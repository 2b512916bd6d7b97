import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits: a plain hash of them is worthless to a reader of the store. */
export const newSecret = (): string => randomBytes(32).toString('base64url')
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

/** Compares in constant time. */
export function matches(secret: string, hash: string | undefined): boolean {
  if (hash === undefined) return false
  const [one, other] = [Buffer.from(hashOf(secret)), Buffer.from(hash)]
  return one.length === other.length && timingSafeEqual(one, other)
}

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

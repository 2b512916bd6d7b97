import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Returns a secret of 256 random bits in base64url, 43 characters. It cannot be guessed, so a plain hash of it is safe to store. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** Returns the SHA-256 of a secret in base64url. It is meant for secrets of `newSecret`: a password needs a slow, salted hash. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

/** True if a stored hash of `hashOf` is that of the secret. Compares in constant time; an absent hash never matches. */
export const matches = (secret: string, hash: string | undefined): boolean => hash !== undefined && isSameText(hashOf(secret), hash)

/** Compares two texts in constant time. Their length is not secret. */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

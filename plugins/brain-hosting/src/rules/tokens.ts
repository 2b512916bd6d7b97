import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const TOKEN = /^gwb_[A-Za-z0-9_-]{43}$/
/** Maximum number of tokens that are valid at the same time. */
export const MAX_TOKENS = 5

export const newToken = (): string => `gwb_${randomBytes(32).toString('base64url')}`
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

export function isTokenOf(token: string, hashes: readonly string[]): boolean {
  if (!TOKEN.test(token)) return false
  const hash = Buffer.from(hashToken(token))
  return hashes.some((known) => known.length === hash.length && timingSafeEqual(Buffer.from(known), hash))
}

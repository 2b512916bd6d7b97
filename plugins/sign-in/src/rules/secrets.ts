import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits: a plain hash of them is worthless to a reader of the store. */
export const newSecret = (): string => randomBytes(32).toString('base64url')
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

/** Compares in constant time. */
export function matches(secret: string, hash: string): boolean {
  const [one, other] = [Buffer.from(hashOf(secret)), Buffer.from(hash)]
  return one.length === other.length && timingSafeEqual(one, other)
}

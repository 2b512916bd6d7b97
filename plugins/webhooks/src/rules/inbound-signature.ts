import { createHmac, timingSafeEqual } from 'node:crypto'
import { hashOf, matches } from '@gateway/sdk/secrets'

/** Compares `sha256=<hex>` with the HMAC of the body, in constant time. */
export function isSignedWith(secret: string, body: Buffer, given: string | undefined): boolean {
  const hex = /^sha256=([0-9a-f]{64})$/i.exec(given ?? '')?.[1]
  if (hex === undefined) return false
  return timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', secret).update(body).digest())
}

/** True if `given` is the secret itself, which hosts with merge requests send in place of a signature. */
export const isToken = (secret: string, given: string | undefined): boolean => given !== undefined && matches(given, hashOf(secret))

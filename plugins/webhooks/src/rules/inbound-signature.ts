import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Compares `sha256=<hex>` with the HMAC of the body, in constant time. */
export function isSignedWith(secret: string, body: Buffer, given: string | undefined): boolean {
  const hex = /^sha256=([0-9a-f]{64})$/i.exec(given ?? '')?.[1]
  if (hex === undefined) return false
  return timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', secret).update(body).digest())
}

/** True if `given` is the secret itself, which hosts with merge requests send in place of a signature. */
export function isToken(secret: string, given: string | undefined): boolean {
  if (given === undefined) return false
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(secret), digest(given))
}

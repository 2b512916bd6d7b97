import { createHmac, timingSafeEqual } from 'node:crypto'

/** Compares `sha256=<hex>` with the HMAC of the body, in constant time. */
export function isSignedWith(secret: string, body: Buffer, given: string | undefined): boolean {
  const hex = /^sha256=([0-9a-f]{64})$/i.exec(given ?? '')?.[1]
  if (hex === undefined) return false
  return timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', secret).update(body).digest())
}

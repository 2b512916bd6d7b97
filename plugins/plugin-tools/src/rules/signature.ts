import { createHmac, type KeyObject } from 'node:crypto'

export const TIMESTAMP_HEADER = 'x-gateway-timestamp'
export const SIGNATURE_HEADER = 'x-gateway-signature'

/** By these headers a handler knows that a call is the gateway’s, and is of now. `now` is when it is sent. */
export function signatureHeaders(secret: string | KeyObject, body: string, now: Date): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  return { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: `sha256=${signature}` }
}

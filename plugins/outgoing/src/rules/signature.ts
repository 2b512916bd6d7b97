import { createHmac } from 'node:crypto'
import type { Signature } from '../api.ts'

/** Headers by which a receiver recognises a request of the gateway and its time. `now` is the time of sending. */
export function signatureHeaders({ key, as }: Signature, body: string | Uint8Array, now: Date): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  const signed = createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex')
  const headers = { 'x-gateway-timestamp': timestamp, 'x-gateway-signature': `sha256=${signed}` }
  if (as === 'gateway') return headers
  return { ...headers, 'x-webhook-signature-256': `sha256=${createHmac('sha256', key).update(body).digest('hex')}` }
}

import type { Readable } from 'node:stream'
import { WebhookTooLarge } from '../errors.ts'

/** Reads a whole body, byte for byte as sent. Throws PAYLOAD_TOO_LARGE, and the reason of the signal. */
export async function readBody(body: Readable, limitBytes: number, signal: AbortSignal): Promise<Buffer> {
  const stop = (): void => void body.destroy(signal.reason as Error)
  if (signal.aborted) throw signal.reason
  signal.addEventListener('abort', stop, { once: true })
  try {
    const parts: Buffer[] = []
    let bytes = 0
    for await (const part of body) {
      bytes += (part as Buffer).length
      if (bytes > limitBytes) throw WebhookTooLarge({ limitBytes })
      parts.push(part as Buffer)
    }
    return Buffer.concat(parts)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

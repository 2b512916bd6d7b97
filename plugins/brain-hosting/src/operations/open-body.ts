import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** The body of a request, unpacked where its client has compressed it. */
export interface OpenBody {
  readonly input: Readable
  /** Lets the rest arrive unread, so that a client that still sends comes to read its answer; nothing more is unpacked. */
  discard(): void
}

export function openBody(body: Readable, encoding: unknown): OpenBody {
  if (encoding !== 'gzip' && encoding !== 'x-gzip') return { input: body, discard: () => void body.resume() }
  const input = createGunzip()
  input.on('error', () => {})
  body.once('error', (error) => input.destroy(error))
  body.pipe(input)
  return {
    input,
    discard() {
      body.unpipe(input)
      input.destroy()
      body.resume()
    },
  }
}

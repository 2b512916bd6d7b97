import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** The body of a request, decompressed if its client compressed it. */
export interface OpenBody {
  readonly input: Readable
  /** Reads the rest without decompressing it, so that a client that is still sending gets to read its answer. */
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

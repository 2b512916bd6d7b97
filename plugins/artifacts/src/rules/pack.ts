import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

const [compress, decompress] = [promisify(gzip), promisify(gunzip)]

export interface Packed {
  readonly gzip: string
  readonly bytes: number
  readonly compressedBytes: number
  readonly truncated: boolean
  readonly sha256: string
}

/** At most `maxBytes` of the text, whole characters, compressed in a thread. */
export async function pack(text: string, maxBytes: number): Promise<Packed> {
  const whole = Buffer.from(text)
  const kept = whole.subarray(0, characterEnd(whole, maxBytes))
  const compressed = await compress(kept)
  return {
    gzip: compressed.toString('base64'),
    bytes: kept.length,
    compressedBytes: compressed.length,
    truncated: kept.length < whole.length,
    sha256: createHash('sha256').update(kept).digest('hex'),
  }
}

export async function unpack(packed: string): Promise<string> {
  return (await decompress(Buffer.from(packed, 'base64'))).toString()
}

/** The last index up to `max` that splits no character: a continuation byte begins with the bits 10. */
function characterEnd(bytes: Buffer, max: number): number {
  if (bytes.length <= max) return bytes.length
  let end = max
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end--
  return end
}

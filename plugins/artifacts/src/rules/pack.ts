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

/** At most `maxBytes` of the text, and `maxJsonBytes` as JSON, whole characters, compressed in a thread. */
export async function pack(text: string, maxBytes: number, maxJsonBytes: number): Promise<Packed> {
  const whole = Buffer.from(text)
  const cut = whole.subarray(0, characterEnd(whole, maxBytes))
  const kept = cut.subarray(0, characterEnd(cut, jsonEnd(cut, maxJsonBytes)))
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

/** Most bytes of a character in JSON, such as \u0001. */
const ESCAPE = 6
/** The last index up to which the text has at most `max` bytes in a JSON string. */
function jsonEnd(bytes: Buffer, max: number): number {
  if (bytes.length * ESCAPE + 2 <= max) return bytes.length
  let left = max - 2
  for (let at = 0; at < bytes.length; at++) {
    left -= jsonBytes(bytes[at] as number)
    if (left < 0) return at
  }
  return bytes.length
}

/** The control characters with a short escape: backspace, tab, line feed, form feed and carriage return. */
const SHORT_ESCAPES = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x22, 0x5c])
function jsonBytes(byte: number): number {
  if (SHORT_ESCAPES.has(byte)) return 2
  return byte < 0x20 ? ESCAPE : 1
}

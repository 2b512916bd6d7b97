/**
 * Framing of git's protocol: four hex digits of length, which include themselves, then the line. Lengths below four are frames
 * without a line.
 */
export const FLUSH = '0000'
const MAX_LINE = 65_520

export function pktLine(line: string | Buffer): Buffer {
  const bytes = Buffer.from(line)
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes])
}

/** Builds a side-band frame that git prints on the client's screen. */
export const screenMessage = (text: string): Buffer => pktLine(`\u0002${text}\n`)

export type PktFrame =
  | { readonly kind: 'line'; readonly line: Buffer; readonly end: number }
  | { readonly kind: 'flush'; readonly end: number }
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'malformed' }

export function readFrame(bytes: Buffer, at: number): PktFrame {
  if (bytes.length < at + 4) return { kind: 'incomplete' }
  const digits = bytes.toString('latin1', at, at + 4)
  if (!/^[0-9a-f]{4}$/i.test(digits)) return { kind: 'malformed' }
  const length = Number.parseInt(digits, 16)
  if (length === 0) return { kind: 'flush', end: at + 4 }
  if (length < 4 || length > MAX_LINE) return { kind: 'malformed' }
  if (bytes.length < at + length) return { kind: 'incomplete' }
  return { kind: 'line', line: bytes.subarray(at + 4, at + length), end: at + length }
}

import type { FileHandle } from 'node:fs/promises'

/** Small enough that processing a piece blocks nobody. */
const PIECE = 128 * 1024

export interface PlacedLine {
  /** Without the line end. */
  readonly bytes: Buffer
  /** Offset of its first byte in the file. */
  readonly start: number
}

/**
 * Yields the complete lines of a file before the byte `end`, the last one first, in pieces. A line without its end is left out.
 */
export async function* linesBackward(file: FileHandle, end: number): AsyncGenerator<readonly PlacedLine[]> {
  // Bytes before the first line end of the last piece: the end of a line that began earlier.
  let rest: Buffer = Buffer.alloc(0)
  let first = true
  for (let to = end; to > 0; ) {
    const from = Math.max(0, to - PIECE)
    const piece = Buffer.alloc(to - from)
    const { bytesRead } = await file.read(piece, 0, piece.length, from)
    let bytes = Buffer.concat([piece.subarray(0, bytesRead), rest])
    if (first) bytes = bytes.subarray(0, bytes.lastIndexOf(10) + 1)
    first = false
    const begins = from === 0 ? 0 : bytes.indexOf(10) + 1
    // Without a line end in it, the whole piece belongs to a line that began earlier.
    const whole = from > 0 && begins === 0 ? bytes.length : begins
    yield linesOf(bytes, whole, from)
    rest = bytes.subarray(0, whole)
    to = from
  }
}

function linesOf(bytes: Buffer, begins: number, offset: number): PlacedLine[] {
  const lines: PlacedLine[] = []
  for (let start = begins; start < bytes.length; ) {
    const found = bytes.indexOf(10, start)
    const end = found < 0 ? bytes.length : found
    lines.push({ bytes: bytes.subarray(start, end), start: offset + start })
    start = end + 1
  }
  return lines.reverse()
}

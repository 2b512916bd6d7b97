import { createReadStream } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

export interface Line {
  /** Without the line end. */
  readonly bytes: Buffer
  /** False for the rest of a file after its last line end. */
  readonly ended: boolean
}

// Larger than any request that the gateway accepts, so larger than any record.
const LONGEST_LINE = 64 * 1024 * 1024
const WRITE_UNDER_WAY_MS = 50

/**
 * Yields the lines of a file from the byte `start` on. `growing`: a missing line end may be a write under way, and is given time.
 */
export async function* linesOf(path: string, { start: from = 0, growing = false } = {}): AsyncGenerator<Line> {
  let rest: Buffer = Buffer.alloc(0)
  let position = from
  for (let again = growing; ; again = false) {
    for await (const chunk of createReadStream(path, { start: position }) as AsyncIterable<Buffer>) {
      position += chunk.length
      let start = 0
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        yield { bytes: rest.length > 0 ? Buffer.concat([rest, chunk.subarray(start, end)]) : chunk.subarray(start, end), ended: true }
        rest = Buffer.alloc(0)
        start = end + 1
      }
      rest = Buffer.concat([rest, chunk.subarray(start)])
      if (rest.length > LONGEST_LINE) break
    }
    if (rest.length === 0) return
    if (!again) break
    // Possibly half of a write that is under way.
    await pause(WRITE_UNDER_WAY_MS)
  }
  yield { bytes: rest, ended: false }
}

const NEWLINE = 0x0a
const RETURN = 0x0d

/** Some programs write a byte order mark before their first line. */
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * Yields the lines of a byte stream, without their ends, and without a byte order mark before the first one. A line longer than
 * `limit` bytes comes as undefined, and no more of it than that is ever held. A last line needs no newline.
 */
export async function* lines(input: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Buffer | undefined> {
  let parts: Buffer[] = []
  let length = 0
  let isFirst = true
  const add = (part: Buffer): void => {
    length += part.length
    if (length <= limit) parts.push(part)
    else parts = []
  }
  const take = (): Buffer | undefined => {
    const whole = length <= limit ? withoutReturn(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)) : undefined
    const line = isFirst && whole?.subarray(0, 3).equals(BYTE_ORDER_MARK) ? whole.subarray(3) : whole
    isFirst = false
    parts = []
    length = 0
    return line
  }
  for await (const chunk of input) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end))
      start = end + 1
      yield take()
    }
    add(chunk.subarray(start))
  }
  if (length > 0) yield take()
}

const withoutReturn = (line: Buffer): Buffer => (line.at(-1) === RETURN ? line.subarray(0, -1) : line)

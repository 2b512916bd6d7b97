const HEAD_END = Buffer.from('\r\n\r\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/** Returns the end of the HTTP/1.1 answer at the start of `bytes`, or -1 while it is incomplete. */
export function answerEnd(bytes: Buffer): number {
  const head = bytes.indexOf(HEAD_END)
  if (head === -1) return -1
  const body = head + HEAD_END.length
  const length = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, head))?.[1]
  if (length !== undefined) {
    const end = body + Number(length)
    return bytes.length >= end ? end : -1
  }
  // Without a length the answer is chunked; it ends the buffer, because the next request waits for it.
  return bytes.length >= body + LAST_CHUNK.length && bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) ? bytes.length : -1
}

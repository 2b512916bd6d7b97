const ASCII = /^[\0-\x7f]*$/
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The key as its caller wrote it. Node reads each byte of a header as one character, while most clients send UTF-8, and the same key over MCP
 * is a text. Bytes that are no UTF-8 are those of a client that sends one byte for each character.
 */
export function idempotencyHeader(given: string | string[] | undefined): string | string[] | undefined {
  if (typeof given !== 'string' || ASCII.test(given)) return given
  try {
    return utf8.decode(Buffer.from(given, 'latin1'))
  } catch {
    return given
  }
}

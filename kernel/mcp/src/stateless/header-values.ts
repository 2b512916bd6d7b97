import { isUtf8 } from 'node:buffer'

const PREFIX = '=?base64?'
const SUFFIX = '?='
/** What a header may hold as it is: visible ASCII, spaces and tabs. */
const PLAIN = /^[\t\x20-\x7e]*$/
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * The text a header stands for: itself, or what `=?base64?…?=` encodes. Undefined when it holds characters no header may
 * hold, or an encoding that is not exact: two spellings of one value would let a proxy and the gateway read it apart.
 */
export function decodeHeader(value: string): string | undefined {
  if (!PLAIN.test(value)) return undefined
  if (value.length < PREFIX.length + SUFFIX.length || !value.startsWith(PREFIX) || !value.endsWith(SUFFIX)) return value
  const encoded = value.slice(PREFIX.length, -SUFFIX.length)
  if (!BASE64.test(encoded)) return undefined
  const bytes = Buffer.from(encoded, 'base64')
  // Bits beyond the last byte must be 0, or the same bytes would have several spellings.
  return bytes.toString('base64') === encoded && isUtf8(bytes) ? bytes.toString('utf8') : undefined
}

import { isUtf8 } from 'node:buffer'

const PREFIX = '=?base64?'
const SUFFIX = '?='
/** Characters that a header may hold unencoded: visible ASCII, spaces and tabs. */
const PLAIN = /^[\t\x20-\x7e]*$/
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * Decodes a header: the text itself, or the content of `=?base64?…?=`. Undefined if it holds characters that no header may
 * hold, or an inexact encoding: two spellings of one value would let a proxy and the gateway read it differently.
 */
export function decodeHeader(value: string): string | undefined {
  if (!PLAIN.test(value)) return undefined
  if (value.length < PREFIX.length + SUFFIX.length || !value.startsWith(PREFIX) || !value.endsWith(SUFFIX)) return value
  const encoded = value.slice(PREFIX.length, -SUFFIX.length)
  if (!BASE64.test(encoded)) return undefined
  const bytes = Buffer.from(encoded, 'base64')
  // Bits beyond the last byte must be 0, otherwise the same bytes would have several spellings.
  return bytes.toString('base64') === encoded && isUtf8(bytes) ? bytes.toString('utf8') : undefined
}

import { argumentAt, type ParamHeader } from '@gateway/mcp/wire'

const VISIBLE = /^[\x21-\x7e]+$/
/** Visible ASCII, with spaces and tabs inside only. */
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/
const ENCODED = /^=\?base64\?.*\?=$/

export function headerValue(value: unknown): string | undefined {
  return typeof value === 'string' && VISIBLE.test(value) ? value : undefined
}

/** Encodes a name or an argument for a header: in base64 if plain text could not be sent, or would be taken for base64. */
export function encodedValue(value: string): string {
  return PLAIN.test(value) && !ENCODED.test(value) ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`
}

/** Returns the headers that repeat arguments of one call; an argument that is absent or null has none. */
export function paramValues(declared: readonly ParamHeader[], args: unknown): Readonly<Record<string, string>> {
  const values: Record<string, string> = {}
  for (const { header, path } of declared) {
    const value = argumentAt(args, path)
    if (value !== undefined && value !== null) values[header] = encodedValue(typeof value === 'string' ? value : JSON.stringify(value))
  }
  return values
}

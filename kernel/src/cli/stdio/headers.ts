import { isObject } from '../../mcp/jsonrpc.ts'

const VISIBLE = /^[\x21-\x7e]+$/
/** Visible ASCII, with spaces and tabs inside only. */
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/
const ENCODED = /^=\?base64\?.*\?=$/

/** What can stand in a header as it is. */
export function headerValue(value: unknown): string | undefined {
  return typeof value === 'string' && VISIBLE.test(value) ? value : undefined
}

/** A name or an argument as a header carries it: in base64 when plain text could not, or would be taken for base64. */
export function encodedValue(value: string): string {
  return PLAIN.test(value) && !ENCODED.test(value) ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`
}

/** An argument that a tool wants in a header: the header’s name, and where the argument stands. */
export interface ParamHeader {
  readonly name: string
  readonly path: readonly string[]
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** The arguments that an input schema marks with `x-mcp-header`, those of inner objects included. */
export function paramHeaders(schema: unknown, path: readonly string[] = []): readonly ParamHeader[] {
  const properties = isObject(schema) && isObject(schema.properties) ? Object.entries(schema.properties) : []
  return properties.flatMap(([key, inner]) => {
    const name = isObject(inner) ? inner['x-mcp-header'] : undefined
    const at = [...path, key]
    const own = typeof name === 'string' && TOKEN.test(name) ? [{ name: `mcp-param-${name}`, path: at }] : []
    return [...own, ...paramHeaders(inner, at)]
  })
}

/** The headers of one call; an argument that is absent or null has none. */
export function paramValues(headers: readonly ParamHeader[], args: unknown): Readonly<Record<string, string>> {
  const values: Record<string, string> = {}
  for (const { name, path } of headers) {
    let value = args
    for (const key of path) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
    if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') values[name] = encodedValue(String(value))
  }
  return values
}

import type { IncomingHttpHeaders } from 'node:http'
import { isObject } from '../jsonrpc.ts'
import { decodeHeader } from './header-values.ts'
import { checkHeader, differs } from './headers.ts'

/** Keyword by which a tool has one of its arguments repeated in the header `Mcp-Param-{value}`. */
const KEYWORD = 'x-mcp-header'
/** RFC 9110, a token. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean']
/** Keywords whose values are data, in which the keyword means nothing. */
const DATA = new Set(['enum', 'const', 'default', 'examples'])
/** Keywords that hold schemas by name. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])

export interface ParamHeader {
  readonly header: string
  /** Node's name of the header. */
  readonly field: string
  /** Names that lead to the argument. */
  readonly path: readonly string[]
}

interface Annotation {
  readonly value: unknown
  readonly type: unknown
  /** Undefined if something other than `properties` leads there, so that a value cannot be read by its path. */
  readonly path: readonly string[] | undefined
}

/** Headers in which a tool's arguments are repeated. Expects a schema without faults. */
export function paramHeaders(schema: object): readonly ParamHeader[] {
  return [...annotations(schema, [])].map(({ value, path = [] }) => {
    const header = `Mcp-Param-${value}`
    return { header, field: header.toLowerCase(), path }
  })
}

/** Faults of a schema's annotations: clients leave a tool out of their list for any of these. */
export function paramHeaderFaults(schema: object): string[] {
  const faults: string[] = []
  const taken = new Set<string>()
  for (const { value, type, path } of annotations(schema, [])) {
    const name = typeof value === 'string' ? value.toLowerCase() : ''
    if (!TOKEN.test(name)) faults.push(`${KEYWORD} must be the token of a header name; got ${JSON.stringify(value)}`)
    else if (taken.has(name))
      faults.push(`${KEYWORD} ${JSON.stringify(value)} is there twice; header names are equal in any case of letters`)
    else if (path === undefined) faults.push(`${KEYWORD} ${JSON.stringify(value)} must be reached through properties alone`)
    else if (!TYPES.includes(type)) {
      faults.push(`${KEYWORD} ${JSON.stringify(value)} is for a string, an integer or a boolean; got ${JSON.stringify(type)}`)
    }
    taken.add(name)
  }
  return faults
}

function* annotations(schema: object, path: readonly string[] | undefined): Generator<Annotation> {
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === KEYWORD) yield { value, type: (schema as { type?: unknown }).type, path }
    if (DATA.has(keyword) || typeof value !== 'object' || value === null) continue
    if (NAMED.has(keyword)) {
      for (const [name, inner] of Object.entries(value)) {
        if (isObject(inner)) yield* annotations(inner, keyword === 'properties' && path ? [...path, name] : undefined)
      }
    } else {
      for (const inner of Array.isArray(value) ? value : [value]) if (isObject(inner)) yield* annotations(inner, undefined)
    }
  }
}

/** Compares the headers with the arguments of a call. A header that no argument is annotated with is ignored. */
export function checkParamHeaders(declared: readonly ParamHeader[], headers: IncomingHttpHeaders, args: unknown): void {
  for (const { header, field, path } of declared) {
    const value = argumentAt(args, path)
    const given = headers[field] as string | undefined
    if (value === undefined || value === null) {
      if (given !== undefined) throw differs(header, given, null)
    } else if (typeof value === 'number') {
      if (given === undefined || !isSameInteger(decodeHeader(given), value)) throw differs(header, given, value)
    } else {
      checkHeader(header, given, typeof value === 'string' ? value : JSON.stringify(value))
    }
  }
}

/** Compares numbers, not spellings: 42.0 is 42. */
function isSameInteger(text: string | undefined, value: number): boolean {
  return text !== undefined && /^-?\d+(?:\.0+)?$/.test(text) && Number.isSafeInteger(value) && Number(text) === value
}

/** Undefined if there is no value. */
export function argumentAt(args: unknown, path: readonly string[]): unknown {
  let at = args
  for (const name of path) at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  return at
}

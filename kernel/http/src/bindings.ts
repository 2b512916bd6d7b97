import { isDeepStrictEqual } from 'node:util'
import { BadRequest, cutText, type ObjectSchema, type Operation } from '@gateway/sdk'
import { parsedText } from '@gateway/validation'

/** A parsed `METHOD /path/:param`. */
export interface Binding {
  readonly method: string
  readonly path: string
  readonly params: readonly string[]
}

export function parseBinding(rest: string): Binding {
  const [method = '', path = ''] = rest.split(' ')
  return { method, path, params: [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string) }
}

type Texts = Readonly<Record<string, string | string[] | undefined>>
type Arguments = Record<string, unknown>

/**
 * Creates the reader of an operation's arguments: path, query and body together. Text from path and query becomes the type that
 * the input schema asks for if that is unambiguous; anything else stays text, and validation reports it. A name given twice
 * must have one value.
 */
export function argumentReader(operation: Pick<Operation, 'input'>): (params: Texts, query: Texts, body: unknown) => Arguments {
  const shapes = new Map(Object.entries(properties(operation.input)).map(([name, schema]) => [name, shapeOf(schema)]))
  return (params, query, body) => {
    const args: Arguments = { ...bodyArguments(body) }
    addTexts(args, query, shapes, 'the query')
    addTexts(args, params, shapes, 'the path')
    return args
  }
}

/** Reads a body as arguments; an absent body has none. Throws BAD_REQUEST for anything but an object. */
export function bodyArguments(body: unknown): Arguments {
  if (body === undefined) return {}
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Arguments
  const got = body === null ? 'null' : Array.isArray(body) ? 'an array' : `a ${typeof body}`
  throw BadRequest({ field: 'body', message: `The request body must be a JSON object of named arguments; got ${got}.` })
}

function addTexts(args: Arguments, texts: Texts, shapes: ReadonlyMap<string, Shape>, place: string): void {
  for (const name in texts) {
    const text = texts[name]
    if (text === undefined) continue
    if (name === '__proto__') throw BadRequest({ field: name, message: `${place} has a name "__proto__", which is not accepted.` })
    const value = coerce(text, shapes.get(name))
    if (Object.hasOwn(args, name) && !isDeepStrictEqual(args[name], value)) {
      throw BadRequest({
        field: name,
        message: `${name} is given twice with different values: ${show(value)} in ${place}, ${show(args[name])} elsewhere.`,
      })
    }
    args[name] = value
  }
}

/** The JSON types that a schema allows, also through a union or an enumeration; for arrays, the types of the items as well. */
interface Shape {
  readonly types: ReadonlySet<string>
  readonly items: Shape | undefined
}
interface AnySchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly AnySchema[]
  readonly oneOf?: readonly AnySchema[]
  readonly items?: AnySchema
}

function properties(schema: ObjectSchema): Readonly<Record<string, AnySchema>> {
  return (schema as { properties?: Record<string, AnySchema> }).properties ?? {}
}

function shapeOf(schema: AnySchema): Shape {
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map(shapeOf)
  const values = schema.const === undefined ? (schema.enum ?? []) : [schema.const]
  const types = [schema.type ?? [], values.map((value) => typeof value), branches.flatMap(({ types }) => [...types])].flat(2)
  const items = schema.items ? shapeOf(schema.items) : branches.find((branch) => branch.items)?.items
  return { types: new Set(types), items }
}

const ARRAY = new Set(['array'])
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

function coerce(text: string | string[], shape: Shape | undefined): unknown {
  if (shape === undefined) return text
  const { types, items } = shape
  if (Array.isArray(text)) return types.has('array') ? text.map((one) => coerce(one, items)) : text
  if (types.has('string')) return text
  if (types.has('array')) return parsedText(text, ARRAY) ?? (text === '' ? [] : text.split(',').map((one) => coerce(one, items)))
  if ((types.has('number') || types.has('integer')) && NUMBER.test(text)) return Number(text)
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

function show(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 100 ? `${cutText(text, 100)}…` : text
}

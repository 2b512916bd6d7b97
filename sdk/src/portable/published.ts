import { readPattern } from './pattern.ts'
import { isSchemaObject, type JsonSchema, mapSchemas } from './places.ts'

/**
 * Constrained decoding of model servers lacks these keywords and fails the whole request for one of them. The gateway checks them, and
 * the published schema omits them. `if`, `then` and `else` stay: a list of MCP 2026-07-28 has to pass them unchanged, and no built-in
 * tool uses them.
 */
const UNKNOWN_ELSEWHERE = [
  'uniqueItems',
  'propertyNames',
  'not',
  'contains',
  'minContains',
  'maxContains',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedItems',
  'unevaluatedProperties',
]
/** These keywords belong to the SDK. */
const INTERNAL = ['rule', 'env', 'verbatim', 'operationNames']

const kept = new WeakMap<object, object>()

/**
 * Returns the schema that clients see: validators in other languages and model servers can compile it. It accepts every value that the
 * full schema accepts. The result is made once per schema.
 */
export function published<S extends object>(schema: S): S {
  let made = kept.get(schema) as S | undefined
  if (made === undefined) kept.set(schema, (made = mapSchemas(schema, forReaders)))
  return made
}

function forReaders(schema: JsonSchema): JsonSchema {
  const changes: Record<string, unknown> = {}
  for (const keyword of INTERNAL) if (schema[keyword] !== undefined) changes[keyword] = undefined
  for (const keyword of UNKNOWN_ELSEWHERE) if (schema[keyword] !== undefined) changes[keyword] = undefined
  if (schema.secret === true) Object.assign(changes, { secret: undefined, 'x-secret': true })
  if (typeof schema.pattern === 'string') Object.assign(changes, forPattern(schema, schema.pattern))
  if (isSchemaObject(schema.properties)) Object.assign(changes, withObjects(schema.properties))
  const type = schema.type === undefined && Array.isArray(schema.enum) ? typeOf(schema.enum) : undefined
  if (type === undefined && Object.keys(changes).length === 0) return schema
  const changed = { ...(type !== undefined && { type }), ...schema, ...changes }
  return Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined))
}

/** Tools of tenants may have patterns that plugins may not have; they lose what other engines refuse. */
function forPattern({ minLength, maxLength }: JsonSchema, pattern: string): JsonSchema {
  const { fault, isOpen } = readPattern(pattern)
  if (fault !== undefined) return { pattern: undefined }
  return isOpen && (minLength !== undefined || maxLength !== undefined) ? { minLength: undefined, maxLength: undefined } : {}
}

/** Clients of the protocol versions up to 2025-11-25 refuse a whole list over a property whose schema is `true` or `false`. */
function withObjects(properties: JsonSchema): JsonSchema {
  if (!Object.values(properties).some((property) => typeof property === 'boolean')) return {}
  const asObject = (schema: unknown): unknown => (schema === true ? {} : schema === false ? { not: {} } : schema)
  return { properties: Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, asObject(property)])) }
}

/**
 * Returns the type, or the list of types, of the values of an `enum`: some models’ APIs refuse a whole list over a property without a
 * type. Undefined for values that JSON Schema has no type for.
 */
function typeOf(values: readonly unknown[]): string | readonly string[] | undefined {
  const types = [...new Set(values.map((value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)))]
  return types.length === 1 ? types[0] : types.length === 0 ? undefined : types
}

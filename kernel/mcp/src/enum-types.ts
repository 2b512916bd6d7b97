import { isObject } from './jsonrpc.ts'

/** Where a schema has schemas: by name, in a list, or alone. */
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'] as const
const LISTED = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const
const ALONE = ['items', 'additionalProperties', 'not', 'contains', 'propertyNames', 'if', 'then', 'else'] as const

type Json = Readonly<Record<string, unknown>>

/**
 * The same schema, with the `type` of every `enum` that has none: for some models’ APIs a property without one makes the whole
 * list invalid. What is not changed is the very same object.
 */
export function withEnumTypes<S>(schema: S): S {
  if (!isObject(schema)) return schema
  const changed: Record<string, unknown> = {}
  const set = (member: string, before: unknown, after: unknown): void => {
    if (after !== before) changed[member] = after
  }
  for (const member of NAMED) set(member, schema[member], isObject(schema[member]) ? eachNamed(schema[member]) : schema[member])
  for (const member of LISTED) set(member, schema[member], Array.isArray(schema[member]) ? eachListed(schema[member]) : schema[member])
  for (const member of ALONE) set(member, schema[member], withEnumTypes(schema[member]))
  const type = schema.type === undefined && Array.isArray(schema.enum) ? typeOf(schema.enum) : undefined
  if (type === undefined && Object.keys(changed).length === 0) return schema
  return { ...(type !== undefined && { type }), ...schema, ...changed }
}

function eachNamed(schemas: Json): Json {
  const entries = Object.entries(schemas)
  const typed = entries.map(([name, schema]) => [name, withEnumTypes(schema)] as const)
  return typed.some(([, schema], at) => schema !== entries[at]?.[1]) ? Object.fromEntries(typed) : schemas
}

function eachListed(schemas: readonly unknown[]): readonly unknown[] {
  const typed = schemas.map((schema) => withEnumTypes(schema))
  return typed.some((schema, at) => schema !== schemas[at]) ? typed : schemas
}

/** One type, or the list of them; undefined for values that JSON Schema has no name for. */
function typeOf(values: readonly unknown[]): string | readonly string[] | undefined {
  const types = [...new Set(values.map((value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)))]
  return types.length === 1 ? types[0] : types.length === 0 ? undefined : types
}

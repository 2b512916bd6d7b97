/** A JSON Schema that is an object; `true` and `false` are schemas too. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** These keywords hold schemas by name, a list of schemas, or one schema. The values of all other keywords are data. */
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'] as const
const LISTED = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const
const SINGLE = ['items', 'additionalProperties', 'not', 'contains', 'propertyNames', 'if', 'then', 'else'] as const

/** Tells whether a value can be a schema other than `true` and `false`. */
export const isSchemaObject = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Walks through a schema and all schemas within it, each with its place, such as `/properties/name`. */
export function* schemasIn(schema: unknown, at = ''): Generator<readonly [at: string, schema: JsonSchema]> {
  if (!isSchemaObject(schema)) return
  yield [at, schema]
  for (const keyword of NAMED) {
    if (!isSchemaObject(schema[keyword])) continue
    for (const [name, inner] of Object.entries(schema[keyword])) yield* schemasIn(inner, `${at}/${keyword}/${name}`)
  }
  for (const keyword of LISTED) {
    if (!Array.isArray(schema[keyword])) continue
    for (const [index, inner] of schema[keyword].entries()) yield* schemasIn(inner, `${at}/${keyword}/${index}`)
  }
  for (const keyword of SINGLE) yield* schemasIn(schema[keyword], `${at}/${keyword}`)
}

/** Changes a schema and all schemas within it, the innermost first. Parts without a change stay the same objects. */
export function mapSchemas<S>(schema: S, change: (schema: JsonSchema) => JsonSchema): S {
  if (!isSchemaObject(schema)) return schema
  let changed: Record<string, unknown> | undefined
  const set = (keyword: string, after: unknown): void => {
    if (after === schema[keyword]) return
    changed ??= { ...schema }
    changed[keyword] = after
  }
  for (const keyword of NAMED) if (isSchemaObject(schema[keyword])) set(keyword, mapNamed(schema[keyword], change))
  for (const keyword of LISTED) if (Array.isArray(schema[keyword])) set(keyword, mapListed(schema[keyword], change))
  for (const keyword of SINGLE) if (isSchemaObject(schema[keyword])) set(keyword, mapSchemas(schema[keyword], change))
  return change(changed ?? schema) as S
}

function mapNamed(schemas: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const mapped = Object.entries(schemas).map(([name, schema]) => [name, mapSchemas(schema, change)] as const)
  return mapped.some(([name, schema]) => schema !== schemas[name]) ? Object.fromEntries(mapped) : schemas
}

function mapListed(schemas: readonly unknown[], change: (schema: JsonSchema) => JsonSchema): readonly unknown[] {
  const mapped = schemas.map((schema) => mapSchemas(schema, change))
  return mapped.some((schema, index) => schema !== schemas[index]) ? mapped : schemas
}

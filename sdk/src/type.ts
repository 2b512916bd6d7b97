import type { Type as TypeBox } from 'typebox'

/**
 * Builders of JSON Schema with TypeBox's names and types but none of its code: TypeBox loads 700 modules, a quarter of a second
 * of each start, to build objects like these. Write other schemas by hand or build them with TypeBox: a schema is a plain
 * object.
 */
type Builders =
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Partial'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unknown'

type Json = Record<PropertyKey, unknown>

/** Marks an optional property; a registered symbol, so that two copies of this package understand each other. */
const OPTIONAL = Symbol.for('@gateway/sdk.optional')

/** The mark is not enumerable, so that no JSON and no comparison contains it. */
const optional = (schema: Json): Json => Object.defineProperty({ ...schema }, OPTIONAL, { value: true })

const plain = (type: string) => (options?: Json) => ({ type, ...options })

const builders = {
  Array: (items: Json, options?: Json) => ({ type: 'array', items, ...options }),
  Boolean: plain('boolean'),
  Enum: (values: readonly unknown[], options?: Json) => ({ enum: [...values], ...options }),
  Integer: plain('integer'),
  Literal: (value: unknown, options?: Json) => ({ type: typeof value, const: value, ...options }),
  Null: plain('null'),
  Number: plain('number'),
  /** A property with a default is not required: a caller that omits it gets the default. */
  Object(properties: Readonly<Record<string, Json>>, options?: Json) {
    const required = Object.keys(properties).filter(
      (name) => properties[name]?.[OPTIONAL] !== true && properties[name]?.default === undefined,
    )
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
  },
  Optional: optional,
  /** Makes every property optional, also if they are spread into another object; a closed schema stays closed. */
  Partial({ required: _required, properties, ...schema }: Json, options?: Json) {
    const loose = Object.entries(properties as Record<string, Json>).map(([name, property]) => [name, optional(property)])
    return { ...schema, properties: Object.fromEntries(loose), ...options }
  },
  Record: (_key: Json, values: Json, options?: Json) => ({ type: 'object', patternProperties: { '^.*$': values }, ...options }),
  String: plain('string'),
  Union: (anyOf: readonly Json[], options?: Json) => ({ anyOf: [...anyOf], ...options }),
  Unknown: (options?: Json) => ({ ...options }),
}

/** Builders of JSON Schemas with TypeBox's names: they return plain JSON, and `Infer` gives its type. */
export const Type = builders as unknown as Pick<typeof TypeBox, Builders>

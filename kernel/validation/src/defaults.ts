import type { ObjectSchema } from '@gateway/sdk'

type Property = { readonly default?: unknown; readonly properties?: Readonly<Record<string, Property>> }
const SIMPLE: ReadonlySet<string> = new Set(['type', 'properties', 'required', 'additionalProperties', 'description', 'title'])

/**
 * Fills an empty object with the defaults of a schema, as a validator would, but compiles nothing: otherwise the schemas of
 * unset settings would be most of a start. `undefined` if defaults are not enough: a required member has no default, a default
 * has members with defaults of their own, or the schema is more than a list of properties.
 */
export function defaultsOf(schema: ObjectSchema): Record<string, unknown> | undefined {
  if (!Object.keys(schema).every((keyword) => SIMPLE.has(keyword))) return undefined
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Property>; required?: readonly string[] }
  const defaulted = Object.entries(properties).filter(([, property]) => property.default !== undefined)
  const values = Object.fromEntries(defaulted.map(([name, property]) => [name, structuredClone(property.default)]))
  const isWhole = required.every((name) => name in values) && defaulted.every(([, property]) => isFlat(property))
  return isWhole ? values : undefined
}

/** True if nothing within the default has further defaults. */
function isFlat({ default: value, properties = {} }: Property): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every((item) => typeof item !== 'object')
  return Object.keys(value).length === 0 && Object.values(properties).every((property) => property.default === undefined)
}

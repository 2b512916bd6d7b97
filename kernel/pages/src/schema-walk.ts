import { pointerSteps } from '@gateway/sdk'

export interface LooseSchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, LooseSchema>>
  readonly patternProperties?: Readonly<Record<string, LooseSchema>>
  readonly additionalProperties?: boolean | LooseSchema
  readonly items?: LooseSchema
  readonly anyOf?: readonly LooseSchema[]
  readonly oneOf?: readonly LooseSchema[]
  readonly allOf?: readonly LooseSchema[]
}

const ANYTHING: LooseSchema = {}

/**
 * Schemas that a value at the pointer may meet; empty if the pointer does not resolve. A schema without constraints allows
 * everything.
 */
export function schemasAt(schemas: readonly LooseSchema[], pointer: string): readonly LooseSchema[] {
  const plain = plainlyAt(schemas, pointer)
  if (plain !== undefined) return alternatives(plain)
  const steps = pointerSteps(pointer)
  let found = schemas.flatMap(alternatives)
  for (const step of steps) found = found.flatMap((schema) => stepInto(schema, step)).flatMap(alternatives)
  return found
}

/** True if the pointer resolves. Called a thousand times in every start, nearly always with a plain schema. */
export const pointerResolves = (schemas: readonly LooseSchema[], pointer: string): boolean =>
  plainlyAt(schemas, pointer) !== undefined || schemasAt(schemas, pointer).length > 0

/** Follows properties of a single schema; undefined if the schema has more structure. */
function plainlyAt(schemas: readonly LooseSchema[], pointer: string): LooseSchema | undefined {
  if (schemas.length !== 1 || pointer.includes('~')) return undefined
  let found = schemas[0]
  for (let from = 1; from <= pointer.length && found !== undefined; ) {
    const slash = pointer.indexOf('/', from)
    const end = slash === -1 ? pointer.length : slash
    const step = pointer.slice(from, end)
    if (found.properties === undefined || isBranched(found) || !Object.hasOwn(found.properties, step)) return undefined
    found = found.properties[step]
    from = end + 1
  }
  return found
}

const isBranched = ({ anyOf, oneOf, allOf }: LooseSchema): boolean => anyOf !== undefined || oneOf !== undefined || allOf !== undefined

/** Schemas of the rows there: the items of a list, or the values of an object by name. */
export function rowsAt(schemas: readonly LooseSchema[], pointer: string): readonly LooseSchema[] {
  return schemasAt(schemas, pointer).flatMap((schema) => {
    if (schema.items !== undefined) return alternatives(schema.items)
    if (saysNothing(schema) || schema.type === 'array') return [ANYTHING]
    const named = Object.values(schema.patternProperties ?? {})
    const more = typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []
    return [...named, ...more, ...(schema.additionalProperties === true ? [ANYTHING] : [])].flatMap(alternatives)
  })
}

const alternatives = (schema: LooseSchema): readonly LooseSchema[] => {
  if (!isBranched(schema)) return [schema]
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  return [...(schema.properties ? [schema] : []), ...branches.flatMap(alternatives)]
}

const saysNothing = ({ type, enum: values, const: value, properties, patternProperties, items }: LooseSchema): boolean =>
  type === undefined && values === undefined && value === undefined && !properties && !patternProperties && !items

function stepInto(schema: LooseSchema, step: string): readonly LooseSchema[] {
  if (saysNothing(schema)) return [ANYTHING]
  const own = schema.properties && Object.hasOwn(schema.properties, step) ? schema.properties[step] : undefined
  if (own !== undefined) return [own]
  if (schema.items !== undefined) return /^\d+$/.test(step) ? [schema.items] : []
  const named = Object.values(schema.patternProperties ?? {})
  if (named.length > 0) return named
  if (typeof schema.additionalProperties === 'object') return [schema.additionalProperties]
  const isOpen = schema.additionalProperties === true || (schema.type === 'object' && schema.properties === undefined)
  return isOpen && schema.additionalProperties !== false ? [ANYTHING] : []
}

/** JSON types that the schemas allow; empty if they do not restrict them. */
export function typesOf(schemas: readonly LooseSchema[]): ReadonlySet<string> {
  return new Set(
    schemas.flatMap(alternatives).flatMap(({ type, enum: values, const: value }) => {
      const listed = value === undefined ? (values ?? []) : [value]
      return [...[type ?? []].flat(), ...listed.map(typeName)]
    }),
  )
}

/** JSON Schema's name of a type, except that an integer is a number. */
export function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

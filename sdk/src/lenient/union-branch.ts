import { isSchemaObject, type JsonSchema } from '../portable/places.ts'

/** A union of objects whose branches differ by the literals of one property, as `kind`. */
export interface LiteralUnion {
  readonly property: string
  /** The literals that select each branch, by the branch’s place in the union. */
  readonly branches: ReadonlyMap<number, readonly unknown[]>
}

/** Finds the property by whose literals the object branches of a union differ; undefined where no property separates them. */
export function literalUnion(schemas: readonly unknown[]): LiteralUnion | undefined {
  const objects = [...schemas.entries()].flatMap(([index, schema]) => {
    const properties = isSchemaObject(schema) ? schema.properties : undefined
    return isSchemaObject(properties) ? [{ index, properties }] : []
  })
  const [first] = objects
  if (first === undefined || objects.length < 2) return undefined
  for (const property of Object.keys(first.properties)) {
    const branches = new Map(objects.map(({ index, properties }) => [index, literalsOf(properties, property)] as const))
    const literals = [...branches.values()].flat()
    const isEverywhere = [...branches.values()].every((own) => own.length > 0)
    if (isEverywhere && new Set(literals).size === literals.length) return { property, branches }
  }
  return undefined
}

/** Returns the place of the branch that a literal of the value selects; undefined if none does. */
export function selectedBranch({ property, branches }: LiteralUnion, value: JsonSchema): number | undefined {
  const given = Object.hasOwn(value, property) ? value[property] : undefined
  for (const [index, literals] of branches) if (literals.includes(given)) return index
  return undefined
}

function literalsOf(properties: JsonSchema, name: string): readonly unknown[] {
  const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
  if (!isSchemaObject(schema)) return []
  if (schema.const !== undefined) return [schema.const]
  return Array.isArray(schema.enum) ? schema.enum : []
}

import { isSchemaObject, type JsonSchema } from '../portable/places.ts'
import type { TextRule } from '../text-rule.ts'

/** Returns the schema that a reference leads to, and any other schema as it is. */
export type Resolve = (schema: unknown) => unknown

export function accepts(schema: unknown, value: string | null, resolve: Resolve): boolean {
  const one = resolve(schema)
  if (!isSchemaObject(one)) return one !== false
  if (one.type !== undefined && ![one.type].flat().includes(value === null ? 'null' : 'string')) return false
  if (one.const !== undefined && one.const !== value) return false
  if (Array.isArray(one.enum) && !one.enum.includes(value)) return false
  if (value !== null && !acceptsText(one, value)) return false
  const holds = (branch: unknown): boolean => accepts(branch, value, resolve)
  for (const union of [one.anyOf, one.oneOf]) if (Array.isArray(union) && !union.some(holds)) return false
  return !Array.isArray(one.allOf) || one.allOf.every(holds)
}

function acceptsText({ minLength, maxLength, pattern, format, rule }: JsonSchema, text: string): boolean {
  if (typeof format === 'string' && text === '') return false
  if (typeof minLength === 'number' && text.length < minLength) return false
  if (typeof maxLength === 'number' && text.length > maxLength) return false
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(text)) return false
  const { matches } = (rule ?? {}) as Partial<TextRule>
  return matches === undefined || new RegExp(matches, 'u').test(text)
}

/** Lists the JSON types that a schema accepts; undefined when it accepts every type. */
export function typesOf(schema: unknown, resolve: Resolve): ReadonlySet<string> | undefined {
  const one = resolve(schema)
  if (!isSchemaObject(one)) return one === false ? new Set() : undefined
  if (one.type !== undefined) return new Set([one.type].flat() as string[])
  if (one.const !== undefined) return new Set([typeName(one.const)])
  if (Array.isArray(one.enum)) return new Set(one.enum.map(typeName))
  const union = [one.anyOf, one.oneOf].find(Array.isArray) as readonly unknown[] | undefined
  if (union === undefined) return isSchemaObject(one.properties) ? new Set(['object']) : undefined
  const branches = union.map((branch) => typesOf(branch, resolve))
  return branches.includes(undefined) ? undefined : new Set(branches.flatMap((types) => [...(types ?? [])]))
}

/** Returns the JSON type of a value; every integer is a number. */
export function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

import { valueAt } from '../pointer.ts'
import { isSchemaObject, type JsonSchema } from '../portable/places.ts'
import type { ObjectSchema } from '../schema.ts'
import type { TextRule } from '../text-rule.ts'
import { accepts, typeName, typesOf } from './accepts.ts'
import { parsedText } from './parsed-text.ts'
import { literalUnion, selectedBranch } from './union-branch.ts'

/**
 * Reads arguments as clients mean them that must fill in every argument, or that write everything as text:
 *
 * 1. null for an optional property that does not accept null is absent, and so is a text of no characters that the schema refuses;
 * 2. a text is parsed where the schema accepts an integer, number, boolean, array or object and not this text;
 * 3. a number never becomes a text;
 * 4. a text loses the white space around it where the rule of its schema says so.
 *
 * Returns the very same value when nothing changes. The caller’s own objects stay as they are.
 */
export function lenientArguments(schema: ObjectSchema, args: unknown): unknown {
  try {
    return new Reader(schema).read(schema, args)
  } catch (error) {
    if (error instanceof TooMuch) return args
    throw error
  }
}

/** A schema of a tenant may make reading take long; the arguments are then taken as they came. */
class TooMuch extends Error {}
const MAX_STEPS = 50_000

class Reader {
  readonly #root: object
  #steps = 0

  constructor(root: object) {
    this.#root = root
  }

  read(schema: unknown, given: unknown): unknown {
    const one = this.#resolve(schema)
    if (!isSchemaObject(one)) return given
    let value = typeof given === 'string' ? this.#parsed(one, given) : given
    if (Array.isArray(value)) value = this.#items(one, value)
    else if (isSchemaObject(value)) value = this.#members(one, value)
    for (const union of [one.anyOf, one.oneOf]) if (Array.isArray(union)) value = this.read(this.#branch(union, value), value)
    for (const part of Array.isArray(one.allOf) ? one.allOf : []) value = this.read(part, value)
    return value
  }

  readonly #resolve = (schema: unknown): unknown => {
    if (++this.#steps > MAX_STEPS) throw new TooMuch()
    const $ref = isSchemaObject(schema) ? schema.$ref : undefined
    if (typeof $ref !== 'string' || !$ref.startsWith('#')) return schema
    return this.#resolve(valueAt(this.#root, $ref.slice(1)))
  }

  #parsed(schema: JsonSchema, text: string): unknown {
    const types = typesOf(schema, this.#resolve)
    if (types === undefined || accepts(schema, text, this.#resolve)) return text
    const { trims } = (schema.rule ?? {}) as Partial<TextRule>
    if (trims && accepts(schema, text.trim(), this.#resolve)) return text.trim()
    return parsedText(text, types) ?? text
  }

  #items({ prefixItems, items }: JsonSchema, value: readonly unknown[]): readonly unknown[] {
    const first = Array.isArray(prefixItems) ? prefixItems : []
    const read = value.map((item, index) => this.read(index < first.length ? first[index] : items, item))
    return read.some((item, index) => item !== value[index]) ? read : value
  }

  #members(schema: JsonSchema, value: JsonSchema): JsonSchema {
    const { properties, required, additionalProperties } = schema
    const known = isSchemaObject(properties) ? properties : {}
    let changed: Record<string, unknown> | undefined
    for (const [name, given] of Object.entries(value)) {
      const isKnown = Object.hasOwn(known, name)
      const isOptional = isKnown && !(Array.isArray(required) && required.includes(name))
      const property = isKnown ? known[name] : (patternSchema(schema, name) ?? additionalProperties)
      const isEmpty = given === null || given === ''
      const read = isEmpty && isOptional && !accepts(property, given, this.#resolve) ? undefined : this.read(property, given)
      if (read === given) continue
      changed ??= { ...value }
      if (read === undefined) delete changed[name]
      else changed[name] = read
    }
    return changed ?? value
  }

  /** Picks the branch that a literal of the value selects, else the first that can take the value. */
  #branch(union: readonly unknown[], value: unknown): unknown {
    const branches = union.map(this.#resolve)
    const literals = isSchemaObject(value) ? literalUnion(branches) : undefined
    const index = literals && isSchemaObject(value) ? selectedBranch(literals, value) : undefined
    return index === undefined ? branches.find((branch) => this.#canTake(branch, value)) : branches[index]
  }

  #canTake(branch: unknown, value: unknown): boolean {
    const types = typesOf(branch, this.#resolve)
    const type = typeName(value)
    if (types !== undefined && !types.has(type) && !(type === 'number' && types.has('integer'))) return false
    if (!isSchemaObject(branch) || !isSchemaObject(value)) return true
    const {
      properties = {},
      required = [],
      additionalProperties,
    } = branch as { properties?: JsonSchema; required?: readonly string[] } & JsonSchema
    if (!required.every((name) => Object.hasOwn(value, name))) return false
    return additionalProperties !== false || Object.keys(value).every((name) => Object.hasOwn(properties, name))
  }
}

function patternSchema({ patternProperties }: JsonSchema, name: string): unknown {
  if (!isSchemaObject(patternProperties)) return undefined
  return Object.entries(patternProperties).find(([pattern]) => new RegExp(pattern, 'u').test(name))?.[1]
}

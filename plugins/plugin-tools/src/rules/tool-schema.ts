import { isToolError } from '@gateway/sdk'
import { ARGUMENT_NAME } from '@gateway/sdk/portable'
import { Check } from './check.ts'
import { type Json, Steps } from './json.ts'
import {
  anything,
  countCheck,
  expect,
  Fault,
  flagCheck,
  formatCheck,
  type KeywordCheck,
  listCheck,
  namesCheck,
  numberCheck,
  oneOf,
  patternCheck,
  stepCheck,
  textCheck,
  typeCheck,
  uniqueCheck,
} from './well-formed.ts'

/**
 * JSON Schemas that a tenant's tool may have: those with well-formed keywords that `checkArguments` runs in a time that can be
 * bounded in advance. So no references (a few in a row double the work each), no backtracking patterns, and bounds on size,
 * depth and number.
 */
export const SCHEMA_LIMITS = { bytes: 16_384, depth: 8, schemas: 100, nesting: 20 } as const
const HOSTS = 'some MCP hosts refuse the whole list of tools otherwise'
/** Keywords that make some MCP hosts refuse a whole list when they are at the top. */
const NOT_AT_TOP = ['anyOf', 'oneOf', 'allOf', 'not', 'const', 'enum']

export interface SchemaFault {
  /** `schema.properties.name.pattern` */
  readonly field: string
  readonly message: string
}

/** The fault of a schema; undefined if it is accepted. Its top may name its draft, of which there is one here. */
export function schemaFault(schema: unknown, maxArgumentBytes: number): SchemaFault | undefined {
  try {
    const walk = new Walk()
    walk.top(schema)
    return defaultFault(walk.defaulted, maxArgumentBytes)
  } catch (error) {
    if (error instanceof Fault) return { field: error.field, message: `\`${error.field}\` ${error.message}.` }
    throw error
  }
}

/**
 * The first default of a call that does not fit its own schema: every call that omits the argument would be refused. One count
 * of steps and bytes for all of them, so that the check costs no more than one of arguments.
 */
function defaultFault(defaulted: readonly Defaulted[], maxBytes: number): SchemaFault | undefined {
  const check = new Check(new Steps(), maxBytes)
  for (const { schema, at } of defaulted) {
    try {
      const fault = check.fault(schema, structuredClone(schema.default), at, true)
      if (fault) return fault
    } catch (error) {
      if (!isToolError(error)) throw error
      return { field: at, message: `\`${at}\`, together with the defaults before it, exceeds the limit of one call: ${error.message}` }
    }
  }
  return undefined
}

export function withoutDraft(given: Json): Json {
  const { $schema: _, ...schema } = given
  return schema
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A schema whose default is filled in, and its place: in a property, not in an alternative. */
interface Defaulted {
  readonly schema: Json
  readonly at: string
}

class Walk {
  readonly defaulted: Defaulted[] = []
  #schemas = 0
  #depth = 0
  #fills = true

  top(given: unknown): void {
    expect(isObject(given), 'schema', 'must be a JSON Schema, an object')
    const { nesting, bytes: atLeast } = extentOf(given)
    expect(nesting <= SCHEMA_LIMITS.nesting, 'schema', `must be nested at most ${SCHEMA_LIMITS.nesting} deep`)
    const bytes = atLeast > SCHEMA_LIMITS.bytes ? 'more' : Buffer.byteLength(JSON.stringify(given))
    expect(
      typeof bytes === 'number' && bytes <= SCHEMA_LIMITS.bytes,
      'schema',
      `must have at most ${SCHEMA_LIMITS.bytes} bytes as JSON; got ${bytes}`,
    )
    const schema = withoutDraft(given)
    expect(schema.type === 'object', 'schema.type', 'must be "object"')
    for (const keyword of NOT_AT_TOP) {
      expect(!Object.hasOwn(schema, keyword), `schema.${keyword}`, 'must not be at the top level, where some MCP hosts refuse it')
    }
    if (isObject(schema.properties)) {
      expect(!Object.hasOwn(schema.properties, 'tenantId'), 'schema.properties.tenantId', 'is derived by the gateway, which sends it along')
    }
    this.#schema(schema, 'schema')
  }

  #schema(schema: unknown, at: string): void {
    if (typeof schema === 'boolean') return
    expect(isObject(schema), at, 'must be a schema')
    expect(
      ++this.#schemas <= SCHEMA_LIMITS.schemas,
      at,
      `must not be there: a tool has at most ${SCHEMA_LIMITS.schemas} schemas in its schema`,
    )
    expect(++this.#depth <= SCHEMA_LIMITS.depth, at, `must not be nested: schemas may be nested at most ${SCHEMA_LIMITS.depth} deep`)
    const isArray = [schema.type].flat().includes('array')
    expect(!isArray || schema.items !== undefined, `${at}.items`, `must say what the items of the array are: ${HOSTS}`)
    for (const [keyword, value] of Object.entries(schema)) {
      const check = Object.hasOwn(this.#keywords, keyword) ? this.#keywords[keyword] : undefined
      if (!check) throw new Fault(`${at}.${keyword}`, `is no keyword that is taken here; these are: ${oneOf(Object.keys(this.#keywords))}`)
      check(value, `${at}.${keyword}`, schema)
    }
    this.#depth--
  }

  readonly #one: KeywordCheck = (value, at) => this.#schema(value, at)
  readonly #several: KeywordCheck = (value, at) => {
    expect(Array.isArray(value) && value.length > 0, at, 'must be a list of schemas')
    for (const [i, one] of value.entries()) this.#schema(one, `${at}[${i}]`)
  }
  readonly #named: KeywordCheck = (value, at) => {
    expect(isObject(value), at, 'must be an object of schemas')
    for (const [name, one] of Object.entries(value)) {
      expect(name !== '__proto__', at, 'must have no name __proto__')
      expect(ARGUMENT_NAME.test(name), `${at}.${name}`, `must have a name of 1 to 64 letters, digits, _, . and -: ${HOSTS}`)
      this.#schema(one, `${at}.${name}`)
      if (this.#fills && isObject(one) && one.default !== undefined) this.defaulted.push({ schema: one, at: `${at}.${name}.default` })
    }
  }
  /** Keywords of values that are checked and never filled in. */
  readonly #unfilled =
    (check: KeywordCheck): KeywordCheck =>
    (value, at, schema) => {
      const before = this.#fills
      this.#fills = false
      check(value, at, schema)
      this.#fills = before
    }

  readonly #keywords: Readonly<Record<string, KeywordCheck>> = {
    type: typeCheck,
    title: textCheck,
    description: textCheck,
    $comment: textCheck,
    default: anything,
    examples: listCheck,
    deprecated: flagCheck,
    readOnly: flagCheck,
    writeOnly: flagCheck,
    const: anything,
    enum: listCheck,
    properties: this.#named,
    required: namesCheck,
    additionalProperties: this.#one,
    propertyNames: this.#unfilled(this.#one),
    minProperties: countCheck,
    maxProperties: countCheck,
    items: this.#one,
    prefixItems: this.#several,
    minItems: countCheck,
    maxItems: countCheck,
    uniqueItems: uniqueCheck,
    minLength: countCheck,
    maxLength: countCheck,
    pattern: patternCheck,
    format: formatCheck,
    minimum: numberCheck,
    maximum: numberCheck,
    exclusiveMinimum: numberCheck,
    exclusiveMaximum: numberCheck,
    multipleOf: stepCheck,
    anyOf: this.#unfilled(this.#several),
    oneOf: this.#unfilled(this.#several),
    allOf: this.#several,
    not: this.#unfilled(this.#one),
  }
}

/**
 * Nesting of arrays and objects, and a lower bound of their bytes as JSON; without recursion, and no further than needed: a
 * request may be a hundred times as large as a schema may be.
 */
function extentOf(root: unknown): { readonly nesting: number; readonly bytes: number } {
  let level = [root as object]
  let nesting = 0
  let bytes = 0
  while (level.length > 0 && nesting <= SCHEMA_LIMITS.nesting && bytes <= SCHEMA_LIMITS.bytes) {
    const next: object[] = []
    for (const parent of level) {
      // Each item takes a character and a comma, each name two quotes and a colon more.
      bytes += Array.isArray(parent) ? 2 * parent.length : 5 * Object.keys(parent).length
      if (bytes > SCHEMA_LIMITS.bytes) break
      for (const child of Object.values(parent)) {
        if (typeof child === 'string') bytes += child.length
        else if (typeof child === 'object' && child !== null) next.push(child)
      }
    }
    level = next
    nesting++
  }
  return { nesting, bytes }
}

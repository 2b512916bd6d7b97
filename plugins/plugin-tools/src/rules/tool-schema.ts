import { cutText, isToolError } from '@gateway/sdk'
import { Check as ValueCheck } from './check.ts'
import { Steps } from './json.ts'
import { patternFault } from './linear-pattern.ts'

/**
 * Which JSON Schemas a tenant’s tool may have: those of which each keyword is well formed, and that `checkArguments` runs in time
 * that can be counted beforehand. So no references (a few of them in a row double the work each), no patterns that backtrack, and
 * bounds on size, depth and number.
 */
export const SCHEMA_LIMITS = { bytes: 16_384, depth: 8, schemas: 100, nesting: 20 } as const
const MAX_UNIQUE = 100
const MAX_LIST = 200

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']
/** Said to whoever reads the schema; they are not checked. */
const FORMATS = ['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uuid']
/** At the top some MCP hosts refuse a whole list for these. */
const NOT_AT_TOP = ['anyOf', 'oneOf', 'allOf', 'not', 'const', 'enum']

export interface SchemaFault {
  /** `schema.properties.name.pattern` */
  readonly field: string
  readonly message: string
}
type Json = Readonly<Record<string, unknown>>
type Check = (value: unknown, at: string, schema: Json) => void

/** What is wrong with a schema; undefined when it can be taken. At its top it may say which draft it is of: there is one here. */
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
 * Of the defaults that calls are filled in with, the first that does not fit its own schema: every call that leaves the argument out
 * would be refused. One count of steps and bytes for all of them, so that the check costs no more than one of arguments.
 */
function defaultFault(defaulted: readonly Defaulted[], maxBytes: number): SchemaFault | undefined {
  const check = new ValueCheck(new Steps(), maxBytes)
  for (const { schema, at } of defaulted) {
    try {
      const fault = check.fault(schema, structuredClone(schema.default), at, true)
      if (fault) return fault
    } catch (error) {
      if (!isToolError(error)) throw error
      return { field: at, message: `\`${at}\`, with the defaults before it, is more than one call may bring: ${error.message}` }
    }
  }
  return undefined
}

/** A schema as it is kept. */
export function withoutDraft(given: Json): Json {
  const { $schema: _, ...schema } = given
  return schema
}

class Fault extends Error {
  readonly field: string
  constructor(field: string, message: string) {
    super(message)
    this.field = cutText(field, 200)
  }
}
function expect(holds: boolean, field: string, message: string): asserts holds {
  if (!holds) throw new Fault(field, message)
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const oneOf = (values: readonly string[]): string => values.join(', ')

/** A schema whose default is filled in, and where that stands: of a property, and not of an alternative. */
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
      expect(!Object.hasOwn(schema, keyword), `schema.${keyword}`, 'must not stand at the top, where some MCP hosts refuse it')
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
    expect(++this.#depth <= SCHEMA_LIMITS.depth, at, `must not be there: schemas stand in one another at most ${SCHEMA_LIMITS.depth} deep`)
    for (const [keyword, value] of Object.entries(schema)) {
      const check = Object.hasOwn(this.#keywords, keyword) ? this.#keywords[keyword] : undefined
      if (!check) throw new Fault(`${at}.${keyword}`, `is no keyword that is taken here; these are: ${oneOf(Object.keys(this.#keywords))}`)
      check(value, `${at}.${keyword}`, schema)
    }
    this.#depth--
  }

  readonly #one: Check = (value, at) => this.#schema(value, at)
  readonly #several: Check = (value, at) => {
    expect(Array.isArray(value) && value.length > 0, at, 'must be a list of schemas')
    for (const [i, one] of value.entries()) this.#schema(one, `${at}[${i}]`)
  }
  readonly #named: Check = (value, at) => {
    expect(isObject(value), at, 'must be an object of schemas')
    for (const [name, one] of Object.entries(value)) {
      expect(name.length <= 100 && name !== '__proto__', at, 'must have names of at most 100 characters, none of them __proto__')
      this.#schema(one, `${at}.${name}`)
      if (this.#fills && isObject(one) && one.default !== undefined) this.defaulted.push({ schema: one, at: `${at}.${name}.default` })
    }
  }
  /** Of values that are looked at and never filled in. */
  readonly #unfilled =
    (check: Check): Check =>
    (value, at, schema) => {
      const before = this.#fills
      this.#fills = false
      check(value, at, schema)
      this.#fills = before
    }

  readonly #keywords: Readonly<Record<string, Check>> = {
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

function anything(): void {}

function typeCheck(value: unknown, at: string): void {
  const types = Array.isArray(value) ? value : [value]
  const known = types.every((type) => TYPES.includes(type as string))
  expect(known && types.length > 0 && new Set(types).size === types.length, at, `must be one or some of ${oneOf(TYPES)}`)
}

function textCheck(value: unknown, at: string): void {
  expect(typeof value === 'string', at, 'must be text')
}

function flagCheck(value: unknown, at: string): void {
  expect(typeof value === 'boolean', at, 'must be true or false')
}

function listCheck(value: unknown, at: string): void {
  expect(Array.isArray(value) && value.length > 0 && value.length <= MAX_LIST, at, `must be a list of 1 to ${MAX_LIST} values`)
}

function namesCheck(value: unknown, at: string): void {
  const names = Array.isArray(value) && value.length <= MAX_LIST && value.every((name) => typeof name === 'string' && name !== '__proto__')
  expect(
    names && new Set(value as string[]).size === (value as string[]).length,
    at,
    `must be a list of at most ${MAX_LIST} different names`,
  )
}

function countCheck(value: unknown, at: string): void {
  expect(Number.isSafeInteger(value) && (value as number) >= 0, at, 'must be a whole number from 0')
}

function numberCheck(value: unknown, at: string): void {
  expect(typeof value === 'number' && Number.isFinite(value), at, 'must be a number')
}

function stepCheck(value: unknown, at: string): void {
  expect(typeof value === 'number' && Number.isFinite(value) && value > 0, at, 'must be a number above 0')
}

function uniqueCheck(value: unknown, at: string, { maxItems }: Json): void {
  flagCheck(value, at)
  const bounded = typeof maxItems === 'number' && maxItems <= MAX_UNIQUE
  expect(value === false || bounded, at, `needs maxItems of at most ${MAX_UNIQUE} beside it`)
}

function patternCheck(value: unknown, at: string): void {
  expect(typeof value === 'string', at, 'must be text')
  const fault = patternFault(value)
  expect(fault === undefined, at, `must be a pattern that ${fault}`)
}

function formatCheck(value: unknown, at: string): void {
  expect(FORMATS.includes(value as string), at, `must be one of ${oneOf(FORMATS)}`)
}

/**
 * How deep arrays and objects stand in one another, and how many bytes they have as JSON at the least; without recursion, and no
 * further than it matters: a request may bring a hundred times of what a schema may have.
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

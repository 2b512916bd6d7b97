import { BadRequest, cutText, type ObjectSchema, type Schema } from '@gateway/sdk'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'

export type { ErrorObject }

/**
 * One compiler for arguments, settings and (in tests) results. Stops at the first fault: collecting all of them lets
 * a hostile document cost far more than it does to send. Schemas are built by code, so they are not held against the
 * meta-schema: compiling that one alone would cost the start a fifth of a second.
 */
const ajv = new Ajv2020({
  useDefaults: true,
  strict: false,
  // JSON.parse makes an infinity of 1e999, which the store and every answer could only write as null.
  strictNumbers: true,
  allErrors: false,
  verbose: true,
  validateFormats: false,
  meta: false,
  validateSchema: false,
})

/** Checks a value and fills in defaults, in place. Compiles on first use (1.5 to 2.8 ms), never at boot. */
export function lazyValidator(schema: Schema): (value: unknown) => ErrorObject | undefined {
  let compiled: ValidateFunction | undefined
  return (value) => {
    compiled ??= ajv.compile(schema)
    return compiled(value) ? undefined : tellingFault(compiled.errors as ErrorObject[])
  }
}

type Property = { readonly default?: unknown; readonly properties?: Readonly<Record<string, Property>> }
const SIMPLE: ReadonlySet<string> = new Set(['type', 'properties', 'required', 'additionalProperties', 'description', 'title'])

/**
 * What a schema’s defaults make of an object without members, as a validator would, but with nothing compiled: most of a start
 * would be the schemas of settings that nobody set. `undefined` where that does not say it all: something is required that has no default, a
 * default has members with defaults of their own, or the schema is more than a list of properties.
 */
export function defaultsOf(schema: ObjectSchema): Record<string, unknown> | undefined {
  if (!Object.keys(schema).every((keyword) => SIMPLE.has(keyword))) return undefined
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Property>; required?: readonly string[] }
  const defaulted = Object.entries(properties).filter(([, property]) => property.default !== undefined)
  const values = Object.fromEntries(defaulted.map(([name, property]) => [name, structuredClone(property.default)]))
  const isWhole = required.every((name) => name in values) && defaulted.every(([, property]) => isFlat(property))
  return isWhole ? values : undefined
}

/** Whether nothing within the default is filled in further. */
function isFlat({ default: value, properties = {} }: Property): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every((item) => typeof item !== 'object')
  return Object.keys(value).length === 0 && Object.values(properties).every((property) => property.default === undefined)
}

/**
 * The last one: a failed union comes after the faults of its branches. But where only one branch takes what came as a
 * whole, its own fault says more: an array that is empty is not to hear that an array was expected.
 */
function tellingFault(faults: readonly ErrorObject[]): ErrorObject {
  const last = faults.at(-1) as ErrorObject
  if (last.keyword !== 'anyOf') return last
  const [fault, another] = faults
    .slice(0, -1)
    .filter(({ keyword, instancePath }) => keyword !== 'type' || instancePath !== last.instancePath)
  return fault && !another && !CHOICES.has(fault.keyword) ? fault : last
}
const CHOICES = new Set(['const', 'enum', 'anyOf', 'oneOf'])

/**
 * A validator of arguments: takes what the caller sent, returns a checked copy, or throws BAD_REQUEST. The tenant is
 * derived from the caller; a `tenantId` argument is dropped before anything looks at it, unless it is the subject of
 * an operator’s route that declares it.
 */
export function argumentsValidator(schema: ObjectSchema): (args: unknown) => Record<string, unknown> {
  const check = lazyValidator(schema)
  const keepsTenantId = 'tenantId' in ((schema as { properties?: object }).properties ?? {})
  return (args) => {
    const given = namedArguments(args, keepsTenantId)
    const fault = check(given)
    if (fault) throw BadRequest(explain(fault, isSecret(fault) ? lengthAlone : describe))
    return given
  }
}

/** Whether the schema marks what came with `secret: true`. */
export const isSecret = ({ parentSchema }: ErrorObject): boolean => (parentSchema as { secret?: unknown } | undefined)?.secret === true

/** Of a secret nothing is shown but how long it is. */
export const lengthAlone = (value: unknown): string =>
  typeof value === 'string' ? `${value.length} characters, which are not shown` : 'something that is not shown'

/** More than any tool has: thousands would take longer to copy than to read. */
const MAX_NAMES = 1_000

/** A copy of what the caller sent, which must be an object. */
export function namedArguments(args: unknown, keepsTenantId = false): Record<string, unknown> {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    throw BadRequest({ message: `The arguments must be one JSON object of named arguments, got ${describe(args)}.` })
  }
  const count = Object.keys(args).length
  if (count > MAX_NAMES) throw BadRequest({ message: `The arguments must have at most ${MAX_NAMES} names, got ${count}.` })
  // By rest and not by spread: V8 leaves a spread object no room, and filling in a default then costs more than all the checks.
  const { tenantId, ...given } = args as Record<string, unknown>
  if (keepsTenantId && tenantId !== undefined) given.tenantId = tenantId
  return given
}

/** Which field, what was expected, what came; `show` says how much of that. */
export function explain(fault: ErrorObject, show = describe): { message: string; field: string } {
  const at = path(fault.instancePath)
  const params = fault.params as Record<string, unknown>
  switch (fault.keyword) {
    case 'required': {
      const field = join(at, String(params.missingProperty))
      return { field, message: `\`${field}\` is missing.` }
    }
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const field = join(at, String(params.additionalProperty ?? params.unevaluatedProperty))
      const known = Object.keys((fault.parentSchema as { properties?: object }).properties ?? {})
      return { field, message: `\`${field}\` is not known here; known are: ${known.join(', ') || 'none'}.` }
    }
    default:
      return { field: at, message: `\`${at || 'arguments'}\` ${expected(fault, params)}; got ${show(fault.data)}.` }
  }
}

function expected(fault: ErrorObject, params: Record<string, unknown>): string {
  switch (fault.keyword) {
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`
    case 'anyOf':
    case 'oneOf':
      return `must be ${alternatives(fault.schema)}`
    default:
      return fault.message ?? 'is not valid'
  }
}

function alternatives(schema: unknown): string {
  if (!Array.isArray(schema)) return 'one of its alternatives'
  return schema
    .map((s: { const?: unknown; type?: unknown; enum?: unknown[] }) =>
      s.const !== undefined ? JSON.stringify(s.const) : s.enum ? s.enum.join(' or ') : String(s.type ?? 'a further form'),
    )
    .join(' or ')
}

const path = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((joined, part) => (/^\d+$/.test(part) ? `${joined}[${part}]` : join(joined, part)), '')

const join = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`)

/** What came, short enough to read: a caller’s whole document does not belong in an error. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  // JSON has no infinity, and would call one null.
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value))
  return text.length > 80 ? `${cutText(text, 77)}… (${text.length} characters)` : text
}

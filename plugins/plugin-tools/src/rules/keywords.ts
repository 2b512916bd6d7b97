import { cutText } from '@gateway/sdk'
import type { Checking, Fault } from './fault.ts'
import { isSame, type Json, type Schema, short } from './json.ts'

type Kind = 'object' | 'array' | 'string' | 'number'
/** `fills`: whether defaults are filled in; within alternatives they would be those of one that fails. */
type Keyword = (check: Checking, value: never, wanted: never, at: string, schema: Json, fills: boolean) => Fault | undefined
export interface Rule {
  /** Kind of value that it applies to; without it, any. */
  readonly of?: Kind
  readonly check: Keyword
}

/** All calls share this: creating it again would cost a small call more than its check. */
export const KEYWORDS: Readonly<Record<string, Rule>> = {
  properties: {
    of: 'object',
    check: (check, value: Json, schemas: Json, at, _schema, fills) => checkProperties(check, value, schemas, at, fills),
  },
  required: {
    of: 'object',
    check: (check, value: Json, names: readonly string[], at) => {
      check.steps.take(names.length / 4)
      const missing = names.find((name) => !Object.hasOwn(value, name))
      return missing === undefined ? undefined : check.refusal(join(at, missing), () => 'is missing')
    },
  },
  additionalProperties: {
    of: 'object',
    check: (check, value: Json, schema: Schema, at, { properties = {} }, fills) => {
      const known = properties as Json
      for (const name of check.steps.namesOf(value)) {
        check.steps.take(1)
        if (Object.hasOwn(known, name)) continue
        if (schema === false) {
          const names = (): string => Object.keys(known).slice(0, 50).join(', ') || 'none'
          return check.refusal(join(at, name), () => `is not known here; known are: ${names()}`)
        }
        const fault = check.fault(schema, value[name], join(at, name), fills)
        if (fault) return fault
      }
      return undefined
    },
  },
  propertyNames: {
    of: 'object',
    check: (check, value: Json, schema: Schema, at) => {
      const wrong = check.steps.namesOf(value).find((name) => !check.holds(schema, name))
      return wrong === undefined ? undefined : check.wrong(at, () => 'have names that fit its schema', wrong)
    },
  },
  minProperties: bound('object', 'have at least', (value: Json, n, check) => check.steps.namesOf(value).length >= n, 'members'),
  maxProperties: bound('object', 'have at most', (value: Json, n, check) => check.steps.namesOf(value).length <= n, 'members'),
  prefixItems: {
    of: 'array',
    check: (check, value: readonly unknown[], schemas: readonly Schema[], at, _schema, fills) =>
      first(0, Math.min(schemas.length, value.length), (i) => check.fault(schemas[i] as Schema, value[i], `${at}[${i}]`, fills)),
  },
  items: {
    of: 'array',
    check: (check, value: readonly unknown[], schema: Schema, at, { prefixItems = [] }, fills) =>
      first((prefixItems as readonly unknown[]).length, value.length, (i) => check.fault(schema, value[i], `${at}[${i}]`, fills)),
  },
  minItems: bound('array', 'have at least', (value: readonly unknown[], n) => value.length >= n, 'items'),
  maxItems: bound('array', 'have at most', (value: readonly unknown[], n) => value.length <= n, 'items'),
  uniqueItems: {
    of: 'array',
    check: (check, value: readonly unknown[], wanted: boolean, at) => {
      if (!wanted) return undefined
      return first(0, value.length, (twice) =>
        first(0, twice, (i) =>
          isSame(value[i], value[twice], check.steps) ? check.wrong(`${at}[${twice}]`, () => 'be there once', value[twice]) : undefined,
        ),
      )
    },
  },
  minLength: bound('string', 'have at least', (value: string, n, check) => check.length(value) >= n, 'characters'),
  maxLength: bound('string', 'have at most', (value: string, n, check) => value.length <= n || check.length(value) <= n, 'characters'),
  pattern: {
    of: 'string',
    check: (check, value: string, pattern: string, at) => {
      check.steps.takeFor(value.length + 80)
      return new RegExp(pattern, 'u').test(value) ? undefined : check.wrong(at, () => `match ${pattern}`, value)
    },
  },
  minimum: bound('number', 'be at least', (value: number, n) => value >= n),
  maximum: bound('number', 'be at most', (value: number, n) => value <= n),
  exclusiveMinimum: bound('number', 'be above', (value: number, n) => value > n),
  exclusiveMaximum: bound('number', 'be below', (value: number, n) => value < n),
  multipleOf: bound('number', 'be a multiple of', (value: number, n) => isMultiple(value, n)),
  const: {
    check: (check, value: unknown, wanted, at) =>
      isSame(value, wanted, check.steps) ? undefined : check.wrong(at, () => `be ${short(wanted)}`, value),
  },
  enum: {
    check: (check, value: unknown, values: readonly unknown[], at) =>
      values.some((one) => isSame(value, one, check.steps))
        ? undefined
        : check.wrong(at, () => `be one of ${values.slice(0, 50).map(short).join(', ')}`, value),
  },
  allOf: {
    check: (check, value: unknown, schemas: readonly Schema[], at, _schema, fills) =>
      first(0, schemas.length, (i) => check.fault(schemas[i] as Schema, value, at, fills)),
  },
  anyOf: {
    check: (check, value: unknown, schemas: readonly Schema[], at) =>
      schemas.some((one) => check.holds(one, value)) ? undefined : check.wrong(at, () => 'fit one of its alternatives', value),
  },
  oneOf: {
    check: (check, value: unknown, schemas: readonly Schema[], at) =>
      schemas.filter((one) => check.holds(one, value)).length === 1
        ? undefined
        : check.wrong(at, () => 'fit exactly one of its alternatives', value),
  },
  not: {
    check: (check, value: unknown, schema: Schema, at) =>
      check.holds(schema, value) ? check.wrong(at, () => 'be something else', value) : undefined,
  },
}

function checkProperties(check: Checking, value: Json, schemas: Json, at: string, fills: boolean): Fault | undefined {
  for (const [name, schema] of Object.entries(schemas) as [string, Schema][]) {
    check.steps.take(1)
    if (!Object.hasOwn(value, name)) continue
    const fault = check.fault(schema, value[name], join(at, name), fills)
    if (fault) return fault
  }
  return undefined
}

function bound<T>(of: Kind, must: string, holds: (value: T, limit: number, check: Checking) => boolean, unit = ''): Rule {
  return {
    of,
    check: (check, value: T, limit: number, at: string) =>
      holds(value, limit, check) ? undefined : check.wrong(at, () => `${must} ${limit} ${unit}`.trimEnd(), value),
  }
}

/**
 * Both may be decimals that a double only approximates: 0.3 is a multiple of 0.1, although the quotient is not an exact integer.
 */
function isMultiple(value: number, step: number): boolean {
  const quotient = value / step
  return Math.abs(quotient - Math.round(quotient)) <= Math.abs(quotient) * Number.EPSILON
}

function first(from: number, to: number, faultAt: (i: number) => Fault | undefined): Fault | undefined {
  for (let i = from; i < to; i++) {
    const fault = faultAt(i)
    if (fault) return fault
  }
  return undefined
}

const join = (at: string, name: string): string => cutText(at === '' ? name : `${at}.${name}`, 300)

import { BadRequest } from '@gateway/sdk'
import { isSame, type Json, OBJECT, type Schema, Steps, typesOf } from './json.ts'

/**
 * The arguments of a call, held against the schema of its tool. Walked rather than compiled: to compile a tenant’s schema takes
 * the one thread of the gateway for tenths of a second, and what comes out runs for as long as it likes; a walk counts its steps.
 * The keywords are those of `tool-schema.ts`.
 */
export function checkArguments(schema: Json, args: Record<string, unknown>, maxBytes: number): Record<string, unknown> {
  const text = JSON.stringify(args)
  const bytes = Buffer.byteLength(text)
  if (bytes > maxBytes) throw BadRequest({ message: `The arguments of this tool have at most ${maxBytes} bytes as JSON; got ${bytes}.` })
  // A copy: defaults are filled in at any depth, and what the caller sent is the caller’s.
  const given = JSON.parse(text) as Record<string, unknown>
  const fault = faultOf(schema, given, new Steps(), maxBytes - bytes)
  if (fault) throw BadRequest(fault)
  return given
}

/** What is wrong with arguments; fills in defaults, of at most `room` bytes. */
export function faultOf(schema: Json, given: Record<string, unknown>, steps: Steps, room: number): Fault | undefined {
  return new Check(steps, room).fault(schema, given, '', true)
}

export interface Fault {
  readonly field: string
  readonly message: string
}
type Kind = 'object' | 'array' | 'string' | 'number'
/** `fills`: whether defaults are put in, which within alternatives would be those of one that does not hold. */
type Keyword = (value: never, wanted: never, at: string, schema: Json, fills: boolean) => Fault | undefined
interface Rule {
  /** What it has something to say of; without it, of anything. */
  readonly of?: Kind
  readonly check: Keyword
}
interface Planned extends Rule {
  readonly wanted: unknown
}

class Check {
  readonly #steps: Steps
  readonly #plans = new Map<Json, readonly Planned[]>()
  readonly #defaults = new Map<Json, string>()
  #room: number
  #asked = 0

  constructor(steps: Steps, room: number) {
    this.#steps = steps
    this.#room = room
  }

  fault(schema: Schema, value: unknown, at: string, fills: boolean): Fault | undefined {
    this.#steps.take(1)
    if (schema === true) return undefined
    if (schema === false) return this.#wrong(at, () => 'be left out', value)
    const types = typesOf(value)
    const { type } = schema
    if (type !== undefined && !(Array.isArray(type) ? type.some((one) => types.includes(one)) : types.includes(type as string))) {
      return this.#wrong(at, () => `be ${[type].flat().join(' or ')}`, value)
    }
    // Before any keyword looks, whichever stands first.
    if (fills && types === OBJECT) this.#fill(value as Record<string, unknown>, schema.properties)
    for (const { of, check, wanted } of this.#planOf(schema)) {
      if (of && !types.includes(of)) continue
      this.#steps.take(1)
      const fault = check(value as never, wanted as never, at, schema, fills)
      if (fault) return fault
    }
    return undefined
  }

  /** Looked up once in a call: a schema of items is asked for each of them. */
  #planOf(schema: Json): readonly Planned[] {
    let plan = this.#plans.get(schema)
    if (!plan) {
      plan = Object.entries(schema).flatMap(([keyword, wanted]) => {
        const rule = this.#keywords[keyword]
        return rule ? [{ ...rule, wanted }] : []
      })
      this.#plans.set(schema, plan)
    }
    return plan
  }

  /** Whether it fits; nobody asks why not. */
  #holds(schema: Schema, value: unknown): boolean {
    this.#asked++
    const holds = this.fault(schema, value, '', false) === undefined
    this.#asked--
    return holds
  }

  #wrong(field: string, must: () => string, value: unknown): Fault {
    return this.#fault(field, () => `must ${must()}; got ${short(value)}`)
  }

  #fault(field: string, says: () => string): Fault {
    if (this.#asked > 0) return UNSAID
    return { field, message: `\`${field || 'arguments'}\` ${says()}.` }
  }

  readonly #keywords: Readonly<Record<string, Rule>> = {
    properties: { of: 'object', check: (value: Json, schemas: Json, at, _schema, fills) => this.#properties(value, schemas, at, fills) },
    required: {
      of: 'object',
      check: (value: Json, names: readonly string[], at) => {
        this.#steps.take(names.length / 4)
        const missing = names.find((name) => !Object.hasOwn(value, name))
        return missing === undefined ? undefined : this.#fault(join(at, missing), () => 'is missing')
      },
    },
    additionalProperties: {
      of: 'object',
      check: (value: Json, schema: Schema, at, { properties = {} }, fills) => {
        const known = properties as Json
        for (const name of this.#steps.namesOf(value)) {
          this.#steps.take(1)
          if (Object.hasOwn(known, name)) continue
          if (schema === false) {
            const names = (): string => Object.keys(known).slice(0, 50).join(', ') || 'none'
            return this.#fault(join(at, name), () => `is not known here; known are: ${names()}`)
          }
          const fault = this.fault(schema, value[name], join(at, name), fills)
          if (fault) return fault
        }
        return undefined
      },
    },
    propertyNames: {
      of: 'object',
      check: (value: Json, schema: Schema, at) => {
        const wrong = this.#steps.namesOf(value).find((name) => !this.#holds(schema, name))
        return wrong === undefined ? undefined : this.#wrong(at, () => 'have names that fit its schema', wrong)
      },
    },
    minProperties: this.#bound('object', 'have at least', (value: Json, n) => this.#steps.namesOf(value).length >= n, 'members'),
    maxProperties: this.#bound('object', 'have at most', (value: Json, n) => this.#steps.namesOf(value).length <= n, 'members'),
    prefixItems: {
      of: 'array',
      check: (value: readonly unknown[], schemas: readonly Schema[], at, _schema, fills) =>
        this.#first(0, Math.min(schemas.length, value.length), (i) => this.fault(schemas[i] as Schema, value[i], `${at}[${i}]`, fills)),
    },
    items: {
      of: 'array',
      check: (value: readonly unknown[], schema: Schema, at, { prefixItems = [] }, fills) =>
        this.#first((prefixItems as readonly unknown[]).length, value.length, (i) => this.fault(schema, value[i], `${at}[${i}]`, fills)),
    },
    minItems: this.#bound('array', 'have at least', (value: readonly unknown[], n) => value.length >= n, 'items'),
    maxItems: this.#bound('array', 'have at most', (value: readonly unknown[], n) => value.length <= n, 'items'),
    uniqueItems: {
      of: 'array',
      check: (value: readonly unknown[], wanted: boolean, at) => {
        if (!wanted) return undefined
        return this.#first(0, value.length, (twice) =>
          this.#first(0, twice, (i) =>
            isSame(value[i], value[twice], this.#steps) ? this.#wrong(`${at}[${twice}]`, () => 'be there once', value[twice]) : undefined,
          ),
        )
      },
    },
    minLength: this.#bound('string', 'have at least', (value: string, n) => this.#length(value) >= n, 'characters'),
    maxLength: this.#bound('string', 'have at most', (value: string, n) => value.length <= n || this.#length(value) <= n, 'characters'),
    pattern: {
      of: 'string',
      check: (value: string, pattern: string, at) => {
        this.#steps.takeFor(value.length + 80)
        return new RegExp(pattern, 'u').test(value) ? undefined : this.#wrong(at, () => `match ${pattern}`, value)
      },
    },
    minimum: this.#bound('number', 'be at least', (value: number, n) => value >= n),
    maximum: this.#bound('number', 'be at most', (value: number, n) => value <= n),
    exclusiveMinimum: this.#bound('number', 'be above', (value: number, n) => value > n),
    exclusiveMaximum: this.#bound('number', 'be below', (value: number, n) => value < n),
    multipleOf: this.#bound('number', 'be a multiple of', (value: number, n) => Number.isInteger(value / n)),
    const: {
      check: (value: unknown, wanted, at) =>
        isSame(value, wanted, this.#steps) ? undefined : this.#wrong(at, () => `be ${short(wanted)}`, value),
    },
    enum: {
      check: (value: unknown, values: readonly unknown[], at) =>
        values.some((one) => isSame(value, one, this.#steps))
          ? undefined
          : this.#wrong(at, () => `be one of ${values.slice(0, 50).map(short).join(', ')}`, value),
    },
    allOf: {
      check: (value: unknown, schemas: readonly Schema[], at, _schema, fills) =>
        this.#first(0, schemas.length, (i) => this.fault(schemas[i] as Schema, value, at, fills)),
    },
    anyOf: {
      check: (value: unknown, schemas: readonly Schema[], at) =>
        schemas.some((one) => this.#holds(one, value)) ? undefined : this.#wrong(at, () => 'fit one of its alternatives', value),
    },
    oneOf: {
      check: (value: unknown, schemas: readonly Schema[], at) =>
        schemas.filter((one) => this.#holds(one, value)).length === 1
          ? undefined
          : this.#wrong(at, () => 'fit exactly one of its alternatives', value),
    },
    not: {
      check: (value: unknown, schema: Schema, at) =>
        this.#holds(schema, value) ? this.#wrong(at, () => 'be something else', value) : undefined,
    },
  }

  #bound<T>(of: Kind, must: string, holds: (value: T, limit: number) => boolean, unit = ''): Rule {
    return {
      of,
      check: (value: T, limit: number, at: string) =>
        holds(value, limit) ? undefined : this.#wrong(at, () => `${must} ${limit} ${unit}`.trimEnd(), value),
    }
  }

  #fill(value: Record<string, unknown>, properties: unknown): void {
    for (const [name, schema] of Object.entries(properties ?? {})) {
      this.#steps.take(1)
      if (Object.hasOwn(value, name) || schema?.default === undefined) continue
      const text = this.#defaultOf(schema)
      this.#room -= Buffer.byteLength(name) + Buffer.byteLength(text)
      if (this.#room < 0) throw BadRequest({ message: 'The arguments of this tool are too large with its defaults filled in; send fewer.' })
      value[name] = JSON.parse(text)
      this.#steps.forgetNamesOf(value)
    }
  }

  /** As JSON, to be copied from. Of items it is filled in thousands of times. */
  #defaultOf(schema: Json): string {
    let text = this.#defaults.get(schema)
    if (text === undefined) this.#defaults.set(schema, (text = JSON.stringify(schema.default)))
    return text
  }

  #properties(value: Json, schemas: Json, at: string, fills: boolean): Fault | undefined {
    for (const [name, schema] of Object.entries(schemas) as [string, Schema][]) {
      this.#steps.take(1)
      if (!Object.hasOwn(value, name)) continue
      const fault = this.fault(schema, value[name], join(at, name), fills)
      if (fault) return fault
    }
    return undefined
  }

  #first(from: number, to: number, faultAt: (i: number) => Fault | undefined): Fault | undefined {
    for (let i = from; i < to; i++) {
      const fault = faultAt(i)
      if (fault) return fault
    }
    return undefined
  }

  /** In characters, not in halves of them. */
  #length(text: string): number {
    this.#steps.takeFor(text.length)
    let length = 0
    for (let at = 0; at < text.length; at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1) length++
    return length
  }
}

/** Of an alternative that does not hold: thousands of them may be looked at before one that does. */
const UNSAID: Fault = { field: '', message: '' }

const join = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`).slice(0, 300)

function short(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}

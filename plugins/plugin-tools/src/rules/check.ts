import { BadRequest } from '@gateway/sdk'
import { expectationOf } from '@gateway/sdk/portable'
import type { Checking, Fault } from './fault.ts'
import { type Json, OBJECT, type Schema, type Steps, short, typesOf } from './json.ts'
import { KEYWORDS, type Rule } from './keywords.ts'

/** The fault of arguments; fills in defaults of at most `room` bytes. */
export function faultOf(schema: Json, given: Record<string, unknown>, steps: Steps, room: number): Fault | undefined {
  return new Check(steps, room).fault(schema, given, '', true)
}

interface Planned extends Rule {
  readonly wanted: unknown
}

/** Checks one value along one schema. The keywords are those of `tool-schema.ts`. */
export class Check implements Checking {
  readonly steps: Steps
  readonly #plans = new Map<Json, readonly Planned[]>()
  readonly #defaults = new Map<Json, string>()
  #room: number
  #asked = 0

  constructor(steps: Steps, room: number) {
    this.steps = steps
    this.#room = room
  }

  fault(schema: Schema, value: unknown, at: string, fills: boolean): Fault | undefined {
    this.steps.take(1)
    if (schema === true) return undefined
    if (schema === false) return this.wrong(at, () => 'be left out', value)
    const types = typesOf(value)
    const { type } = schema
    if (type !== undefined && !(Array.isArray(type) ? type.some((one) => types.includes(one)) : types.includes(type as string))) {
      return this.refusal(at, () => `${expectationOf({ keyword: 'type', params: { type } })}; got ${short(value)}`)
    }
    // Runs before any keyword, whichever comes first.
    if (fills && types === OBJECT) this.#fill(value as Record<string, unknown>, schema.properties)
    for (const { of, check, wanted } of this.#planOf(schema)) {
      if (of && !types.includes(of)) continue
      this.steps.take(1)
      const fault = check(this, value as never, wanted as never, at, schema, fills)
      if (fault) return fault
    }
    return undefined
  }

  /** Planned once per call: the schema of items is used for each of them. */
  #planOf(schema: Json): readonly Planned[] {
    let plan = this.#plans.get(schema)
    if (!plan) {
      plan = Object.entries(schema).flatMap(([keyword, wanted]) => {
        const rule = KEYWORDS[keyword]
        return rule ? [{ ...rule, wanted }] : []
      })
      this.#plans.set(schema, plan)
    }
    return plan
  }

  /** True if it fits, without the reason. */
  holds(schema: Schema, value: unknown): boolean {
    this.#asked++
    const holds = this.fault(schema, value, '', false) === undefined
    this.#asked--
    return holds
  }

  wrong(field: string, must: () => string, value: unknown): Fault {
    return this.refusal(field, () => `must ${must()}; got ${short(value)}`)
  }

  refusal(field: string, says: () => string): Fault {
    if (this.#asked > 0) return UNSAID
    return { field, message: `\`${field || 'arguments'}\` ${says()}.` }
  }

  #fill(value: Record<string, unknown>, properties: unknown): void {
    for (const [name, schema] of Object.entries(properties ?? {})) {
      this.steps.take(1)
      if (Object.hasOwn(value, name) || schema?.default === undefined) continue
      const text = this.#defaultOf(schema)
      this.#room -= Buffer.byteLength(name) + Buffer.byteLength(text)
      if (this.#room < 0)
        throw BadRequest({ message: 'The arguments of this tool are too large once its defaults are filled in; send fewer.' })
      value[name] = JSON.parse(text)
      this.steps.forgetNamesOf(value)
    }
  }

  /** JSON to copy from; for items it may be filled in thousands of times. */
  #defaultOf(schema: Json): string {
    let text = this.#defaults.get(schema)
    if (text === undefined) this.#defaults.set(schema, (text = JSON.stringify(schema.default)))
    return text
  }

  /** Counts characters, not surrogate halves. */
  length(text: string): number {
    this.steps.takeFor(text.length)
    let length = 0
    for (let at = 0; at < text.length; at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1) length++
    return length
  }
}

/** Fault of a failed alternative: thousands of them may be tried before one holds. */
const UNSAID: Fault = { field: '', message: '' }

import { BadRequest, cutText } from '@gateway/sdk'

export type Json = Readonly<Record<string, unknown>>
export type Schema = boolean | Json

/** A few milliseconds of work, and enough for some five thousand values. */
export const MAX_STEPS = 20_000

/** Characters processed in the time of a step. */
const CHARACTERS = 8

/** Budget of checking one call. Throws BAD_REQUEST when it is spent. */
export class Steps {
  #left = MAX_STEPS
  readonly #names = new Map<object, readonly string[]>()

  takeFor(characters: number): void {
    this.take(characters / CHARACTERS)
  }

  /** Cached, because listing thousands of names takes as long as checking as many values. */
  namesOf(value: object): readonly string[] {
    let names = this.#names.get(value)
    if (!names) {
      names = Object.keys(value)
      this.#names.set(value, names)
      this.take(names.length)
    }
    return names
  }

  /** Must be called when a name was added. */
  forgetNamesOf(value: object): void {
    this.#names.delete(value)
  }

  take(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) {
      throw BadRequest({
        message: 'The arguments take too long to check against this tool’s schema; send less, or give it a simpler schema.',
      })
    }
  }
}

/** The types of JSON Schema that a value has: a whole number has two. JSON.parse rounds integers beyond the safe ones, so they are none. */
export function typesOf(value: unknown): readonly string[] {
  if (value === null) return NULL
  if (Array.isArray(value)) return ARRAY
  if (typeof value === 'number') return Number.isSafeInteger(value) ? WHOLE : NUMBER
  return BY_TYPEOF[typeof value] ?? []
}
export const OBJECT: readonly string[] = ['object']
const NULL = ['null']
const ARRAY = ['array']
const NUMBER = ['number']
const WHOLE = ['number', 'integer']
const BY_TYPEOF: Readonly<Record<string, readonly string[]>> = { object: OBJECT, string: ['string'], boolean: ['boolean'] }

/** True if two JSON values are equal, whatever the order of members. */
export function isSame(a: unknown, b: unknown, steps: Steps): boolean {
  steps.take(1)
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => isSame(item, b[i], steps))
  }
  const names = steps.namesOf(a)
  if (names.length !== steps.namesOf(b).length) return false
  return names.every((name) => Object.hasOwn(b, name) && isSame((a as Json)[name], (b as Json)[name], steps))
}

export function short(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${cutText(text, 77)}…` : text
}

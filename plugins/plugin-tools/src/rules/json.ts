import { BadRequest } from '@gateway/sdk'

export type Json = Readonly<Record<string, unknown>>
export type Schema = boolean | Json

/** Under ten milliseconds of work, and enough for some ten thousand values. */
const MAX_STEPS = 50_000

/** What one call may cost to check. Throws BAD_REQUEST when it is spent. */
export class Steps {
  #left = MAX_STEPS

  take(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) {
      throw BadRequest({
        message: 'The arguments take too long to check against this tool’s schema; send less, or give it a simpler schema.',
      })
    }
  }
}

/** The types of JSON Schema that a value has: a whole number has two. */
export function typesOf(value: unknown): readonly string[] {
  if (value === null) return NULL
  if (Array.isArray(value)) return ARRAY
  if (typeof value === 'number') return Number.isInteger(value) ? WHOLE : NUMBER
  return BY_TYPEOF[typeof value] ?? []
}
export const OBJECT: readonly string[] = ['object']
const NULL = ['null']
const ARRAY = ['array']
const NUMBER = ['number']
const WHOLE = ['number', 'integer']
const BY_TYPEOF: Readonly<Record<string, readonly string[]>> = { object: OBJECT, string: ['string'], boolean: ['boolean'] }

/** Whether two JSON values are equal, whatever the order of members. */
export function isSame(a: unknown, b: unknown, steps: Steps): boolean {
  steps.take(1)
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  steps.take(names.length)
  return names.every((name) => Object.hasOwn(b, name) && isSame((a as Json)[name], (b as Json)[name], steps))
}

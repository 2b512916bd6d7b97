import { cutText } from '@gateway/sdk'
import type { Json } from './json.ts'
import { patternFault } from './linear-pattern.ts'

/** Throws a `Fault` unless the value of a keyword, at `at` in `schema`, is well formed. */
export type KeywordCheck = (value: unknown, at: string, schema: Json) => void

/** If items must differ, each is compared with every earlier one. */
const MAX_UNIQUE = 100
const MAX_LIST = 200

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']
/** Names that `format` may have. They inform the reader of the schema; no value is checked against them. */
const FORMATS = ['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uuid']

export class Fault extends Error {
  readonly field: string
  constructor(field: string, message: string) {
    super(message)
    this.field = cutText(field, 200)
  }
}

export function expect(holds: boolean, field: string, message: string): asserts holds {
  if (!holds) throw new Fault(field, message)
}

export const oneOf = (values: readonly string[]): string => values.join(', ')

export function anything(): void {}

export function typeCheck(value: unknown, at: string): void {
  const types = Array.isArray(value) ? value : [value]
  const known = types.every((type) => TYPES.includes(type as string))
  expect(known && types.length > 0 && new Set(types).size === types.length, at, `must be one or some of ${oneOf(TYPES)}`)
}

export function textCheck(value: unknown, at: string): void {
  expect(typeof value === 'string', at, 'must be text')
}

export function flagCheck(value: unknown, at: string): void {
  expect(typeof value === 'boolean', at, 'must be true or false')
}

export function listCheck(value: unknown, at: string): void {
  expect(Array.isArray(value) && value.length > 0 && value.length <= MAX_LIST, at, `must be a list of 1 to ${MAX_LIST} values`)
}

export function namesCheck(value: unknown, at: string): void {
  const names = Array.isArray(value) && value.length <= MAX_LIST && value.every((name) => typeof name === 'string' && name !== '__proto__')
  expect(
    names && new Set(value as string[]).size === (value as string[]).length,
    at,
    `must be a list of at most ${MAX_LIST} different names`,
  )
}

export function countCheck(value: unknown, at: string): void {
  expect(Number.isSafeInteger(value) && (value as number) >= 0, at, 'must be a whole number from 0')
}

export function numberCheck(value: unknown, at: string): void {
  expect(typeof value === 'number' && Number.isFinite(value), at, 'must be a number')
}

export function stepCheck(value: unknown, at: string): void {
  expect(typeof value === 'number' && Number.isFinite(value) && value > 0, at, 'must be a number above 0')
}

export function uniqueCheck(value: unknown, at: string, { maxItems }: Json): void {
  flagCheck(value, at)
  const bounded = typeof maxItems === 'number' && maxItems <= MAX_UNIQUE
  expect(value === false || bounded, at, `needs maxItems of at most ${MAX_UNIQUE} with it`)
}

export function patternCheck(value: unknown, at: string): void {
  expect(typeof value === 'string', at, 'must be text')
  const fault = patternFault(value)
  expect(fault === undefined, at, `must be a pattern that ${fault}`)
}

export function formatCheck(value: unknown, at: string): void {
  expect(FORMATS.includes(value as string), at, `must be one of ${oneOf(FORMATS)}`)
}

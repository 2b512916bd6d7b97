import { BadRequest } from '@gateway/sdk'

/** A document as the store sees it: the caller's types end at the port. */
export type Doc = Readonly<Record<string, unknown>>
export type Scalar = string | number | boolean

/** Copies the part of a value that JSON keeps. */
export function toJson<T>(value: T): T {
  if (typeof value === 'number') return (Number.isFinite(value) ? value + 0 : null) as T
  return typeof value === 'object' && value !== null ? (JSON.parse(JSON.stringify(value)) as T) : value
}

export function sameJson(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b))
}

const FIELD = /^[A-Za-z_][A-Za-z0-9_]*$/
const RESERVED = new Set(['and', 'or', 'not', '__proto__'])

/** Cache of valid names: a plugin's fields are few and used at every read and write. */
const names = new Set<string>()
const MAX_NAMES = 5_000

/** True for a name that can occur in a filter, an update or an index. */
export function isFieldName(name: string): boolean {
  if (names.has(name)) return true
  if (!FIELD.test(name) || RESERVED.has(name)) return false
  if (names.size < MAX_NAMES) names.add(name)
  return true
}

export function badField(field: string, message: string): Error {
  return BadRequest({ message: `${field}: ${message}`, field })
}

export function checkField(name: string): string {
  if (!isFieldName(name)) throw badField(name, 'expected the name of a top-level field')
  return name
}

/** Well-formed, not empty, without NUL: half of a surrogate pair, or a NUL, would not survive the way to a store. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !/[\0\p{Surrogate}]/u.test(value)
}

export function documentId(doc: Doc, key: string): string {
  const id = doc[key]
  if (isText(id)) return id
  throw badField(key, `expected the document’s id, a string that is not empty and is well-formed; got ${JSON.stringify(id)}`)
}

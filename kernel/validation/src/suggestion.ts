import { isSchemaObject, type JsonSchema } from '@gateway/sdk/portable'
import { closestMatch } from 'leven'

/** Longer names are not compared: hosts accept no longer ones. */
const MAX_NAME = 64
/** More unknown names than this are not compared. */
const MAX_UNKNOWN = 20

/** Finds the known name that an unknown one was probably meant to be; undefined where none is near, or several are. */
export function nearName(given: string, known: readonly string[]): string | undefined {
  if (given.length > MAX_NAME) return undefined
  const plain = plainName(given)
  const same = known.filter((name) => plainName(name) === plain)
  if (same.length > 0) return same[0]
  const near = closestMatch(given, known, { maxDistance: given.length < 4 ? 1 : Math.max(2, Math.floor(given.length / 4)) })
  if (near !== undefined) return near
  const within = plain.length < 2 ? [] : known.filter((name) => isPart(plain, plainName(name)) || isPart(plainName(name), plain))
  return within.length === 1 ? within[0] : undefined
}

/** Finds the known name from which an unknown one differs by no more than a typing error or two. */
export function misspeltName(given: string, known: readonly string[]): string | undefined {
  if (given.length > MAX_NAME) return undefined
  const plain = plainName(given)
  return known.find((name) => plainName(name) === plain) ?? closestMatch(given, known, { maxDistance: given.length < 8 ? 1 : 2 })
}

interface Closable {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
}

/**
 * Finds an unknown member that was probably meant to be a missing required one, and that one: either the names are similar, or
 * no other name is unknown or missing and the value has the right type.
 */
export function misnamedMember(schema: JsonSchema, data: JsonSchema): { readonly given: string; readonly meant: string } | undefined {
  const { properties = {}, required = [], additionalProperties } = schema as Closable
  if (additionalProperties !== false) return undefined
  const unknown = Object.keys(data).filter((name) => !Object.hasOwn(properties, name))
  const missing = required.filter((name) => !Object.hasOwn(data, name))
  for (const given of unknown.slice(0, MAX_UNKNOWN)) {
    const meant = nearName(given, missing)
    if (meant !== undefined) return { given, meant }
  }
  const [given, ...furtherUnknown] = unknown
  const [meant, ...furtherMissing] = missing
  if (given === undefined || meant === undefined || furtherUnknown.length > 0 || furtherMissing.length > 0) return undefined
  return hasType(data[given], properties[meant]) ? { given, meant } : undefined
}

const plainName = (name: string): string => name.toLowerCase().replaceAll(/[_.-]/g, '')

const isPart = (part: string, name: string): boolean => name !== part && (name.startsWith(part) || name.endsWith(part))

function hasType(value: unknown, schema: unknown): boolean {
  const type = isSchemaObject(schema) ? schema.type : undefined
  const own = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  return [type ?? own].flat().some((one) => one === own || (one === 'integer' && Number.isInteger(value)))
}

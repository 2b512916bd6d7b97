import { isAscii, isUtf8, transcode } from 'node:buffer'
import { exceededLimit, type StructureLimits } from './json-structure.ts'
import { cutText } from './text.ts'

export type { StructureLimits } from './json-structure.ts'

/**
 * A JSON text with its value, or the reason why it is invalid, with the text if that helps: it is not UTF-8 (`encoding`),
 * exceeds a limit (`depth`, `values`), is not JSON (`syntax`), or contains a value that would not survive (`at` says where,
 * such as `a.b[1]`): a number beyond a double, such as `1e999`, which would become null (`number`), or an escaped half of a
 * surrogate pair, such as `\ud800`, which UTF-8 cannot represent (`surrogate`; RFC 8259, 8.2).
 */
export type ReadJson =
  | { readonly fault?: never; readonly text: string; readonly value: unknown }
  | { readonly fault: 'encoding' | keyof StructureLimits }
  | { readonly fault: 'syntax'; readonly text: string; readonly message: string }
  | { readonly fault: 'number'; readonly text: string; readonly at: string }
  | { readonly fault: 'surrogate'; readonly text: string; readonly at: string; readonly value: unknown }

/**
 * Reads JSON from outside. Its cost is bounded before anything recursive sees it, and a leading byte order mark is skipped. Never
 * throws for a depth of up to a thousand.
 */
export function readJson(bytes: Buffer, limits: StructureLimits): ReadJson {
  const exceeded = exceededLimit(bytes, limits)
  if (exceeded) return { fault: exceeded }
  if (!isUtf8(bytes)) return { fault: 'encoding' }
  const text = decoded(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { fault: 'syntax', text, message: (error as Error).message }
  }
  for (const [fault, { sign, isWrong }] of UNFAITHFUL) {
    const at = sign.test(text) ? placeOf(value, isWrong) : undefined
    if (at !== undefined) return { fault, text, at: shown(at), value }
  }
  return { text, value }
}

const LARGE = 16_384
const MAX_PLACE = 200
/** A place that an error can carry: the sender chose the names in it. */
const shown = (place: string): string => cutText(place.replaceAll(HALF, '\ufffd'), MAX_PLACE)

/** Text beyond ASCII is decoded character by character; via UTF-16 a large text takes a fifth of the time. */
function decoded(bytes: Buffer): string {
  const text = bytes.length < LARGE || isAscii(bytes) ? bytes.toString('utf8') : transcode(bytes, 'utf8', 'utf16le').toString('utf16le')
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text
}
const BYTE_ORDER_MARK = 0xfeff

const HALF = /\p{Surrogate}/gu

/** Values that would not survive; a text without the sign has none. */
const UNFAITHFUL = [
  // 199 digits and an exponent of two are not too large. A run of digits is scanned only once.
  ['number', { sign: /[\d.][eE]\+?\d{3}|(?<!\d)\d{200}/, isWrong: (value: unknown) => value === Infinity || value === -Infinity }],
  ['surrogate', { sign: /\\u[dD][89a-fA-F]/, isWrong: (value: unknown) => typeof value === 'string' && value.search(HALF) !== -1 }],
] as const

/**
 * Returns the place of the first integer of a JSON text that JavaScript reads as another one, because it has more digits than a
 * double holds; undefined if all come out as they went in. `value` is the text's value. An integer that is written back with the
 * same digits survives: the double nearest to `9007199254740992000` is written so, that to `9007199254740993` is not.
 */
export function placeOfRounded({ text, value }: { readonly text: string; readonly value: unknown }): string | undefined {
  if (!MANY_DIGITS.test(text) || placeOf(value, isLarge) === undefined) return undefined
  const rounded = new Set<unknown>()
  for (const part of outsideOfStrings(text))
    for (const [literal] of part.matchAll(NUMBER)) if (isRoundedInteger(literal)) rounded.add(Number(literal))
  const at = rounded.size === 0 ? undefined : placeOf(value, (item) => rounded.has(item))
  return at === undefined ? undefined : shown(at)
}

/** True for the digits of an integer whose double is written with other ones. */
export function isRoundedInteger(literal: string): boolean {
  if (literal.length <= SAFE_DIGITS || !INTEGER.test(literal)) return false
  const number = Number(literal)
  const digits = number.toExponential().replace(/^-|\.|e.*$/g, '')
  return !Number.isSafeInteger(number) && literal.replace(/^-|0+$/g, '') !== digits
}

/** Integers of at most this many digits are exact. */
const SAFE_DIGITS = 15
const MANY_DIGITS = /\d{16}/
const INTEGER = /^-?[1-9]\d*$/
const NUMBER = /-?\d[\d.eE+-]*/g
const isLarge = (value: unknown): boolean => Number.isInteger(value) && !Number.isSafeInteger(value)

/** Parts of a valid JSON text between its strings. A regular expression would use up the stack on a long string. */
function* outsideOfStrings(text: string): Iterable<string> {
  let from = 0
  for (let quote = text.indexOf('"'); quote >= 0; quote = text.indexOf('"', from)) {
    yield text.slice(from, quote)
    from = quote + 1
    while (text[from] !== '"') from += text[from] === '\\' ? 2 : 1
    from++
  }
  yield text.slice(from)
}

/** Returns the place of the first wrong name or value; undefined if all are right. */
function placeOf(value: unknown, isWrong: (value: unknown) => boolean): string | undefined {
  if (typeof value !== 'object' || value === null) return isWrong(value) ? '' : undefined
  for (const [name, item] of Object.entries(value)) {
    const within = isWrong(name) ? '' : placeOf(item, isWrong)
    if (within === undefined) continue
    const step = Array.isArray(value) ? `[${name}]` : name
    return within === '' || within.startsWith('[') ? step + within : `${step}.${within}`
  }
  return undefined
}

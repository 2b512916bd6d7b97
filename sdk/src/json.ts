import { isAscii, isUtf8, transcode } from 'node:buffer'
import { exceededLimit, type StructureLimits } from './json-structure.ts'

export type { StructureLimits } from './json-structure.ts'

/**
 * A JSON text and its value; or why it is none, with the text where that tells more: it is not UTF-8 (`encoding`), nested deeper or of
 * more names and values than the limits say (`depth`, `values`), no JSON (`syntax`), or has a number beyond what a double can hold, as
 * `1e999` (`number`; `at` says where, as `a.b[1]`): it would be an infinity, and null when it is written again.
 */
export type ReadJson =
  | { readonly fault?: never; readonly text: string; readonly value: unknown }
  | { readonly fault: 'encoding' | keyof StructureLimits }
  | { readonly fault: 'syntax'; readonly text: string; readonly message: string }
  | { readonly fault: 'number'; readonly text: string; readonly at: string }

/**
 * Read JSON that comes from outside. What it costs is bounded before anything recursive sees it; a byte order mark before it is left
 * out. Never throws for a depth of up to a thousand.
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
  const at = LARGE_NUMBER.test(text) ? overflowAt(value) : undefined
  return at === undefined ? { text, value } : { fault: 'number', text, at: at.slice(0, MAX_PLACE) }
}

const LARGE = 16_384
/** The names in it are the sender’s. */
const MAX_PLACE = 200

/** Text beyond ASCII is decoded character by character; much of it by way of UTF-16 in a fifth of the time. */
function decoded(bytes: Buffer): string {
  const text = bytes.length < LARGE || isAscii(bytes) ? bytes.toString('utf8') : transcode(bytes, 'utf8', 'utf16le').toString('utf16le')
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text
}
const BYTE_ORDER_MARK = 0xfeff

/** Without it no number is too large to be one: 199 digits and an exponent of two are not. A row of digits is looked at once. */
const LARGE_NUMBER = /[\d.][eE]\+?\d{3}|(?<!\d)\d{200}/

/** Where the first infinity stands; undefined when there is none. */
function overflowAt(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : ''
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, item] of Object.entries(value)) {
    const within = overflowAt(item)
    if (within === undefined) continue
    const step = Array.isArray(value) ? `[${name}]` : name
    return within === '' || within.startsWith('[') ? step + within : `${step}.${within}`
  }
  return undefined
}

import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { isNumericSecretName, isSecretName, MAX_NAME } from './redact/names.ts'
import { pass, steps } from './redact/text.ts'
import { REDACTED } from './redact/value.ts'
import { cutText, repairText } from './text.ts'

export { isSecretName } from './redact/names.ts'
export { REDACTED } from './redact/value.ts'

/** Deeper than any log line goes; deeper parts are cut. */
const MAX_DEPTH = 32
const MAX_PASSES = 4

/**
 * Returns a text without its secrets: keys of known issuers, bearer tokens, cookies, JSON Web Tokens, passwords in URLs and
 * connection strings, private keys, values of fields with secret names, and runs that look random. Ids, UUIDs, hexadecimal
 * hashes, paths and URLs without a password stay. Never throws; the cost grows with the length.
 */
export function redactText(text: string): string {
  let before = text
  // Replacing one secret can expose another, so the text is scanned again. This is rarely needed.
  for (let i = 0; i < MAX_PASSES; i++) {
    const after = pass(before)
    if (after === before) break
    before = after
  }
  return before
}

/** A shorter text takes less than a millisecond. */
const SHORT = 32_768

/** The same for a text that may be long: others get their turn between the steps. */
async function redactTextInTurns(text: string): Promise<string> {
  if (text.length <= SHORT) return redactText(text)
  let before = text
  for (let i = 0; i < MAX_PASSES; i++) {
    let after = before
    for (const step of steps) {
      after = step(after)
      await yieldToEventLoop()
    }
    if (after === before) break
    before = after
  }
  return before
}

/** Returns a JSON value without its secrets: in its texts, in the names of its members, and in members with secret names. */
export function redact<T>(value: T): T {
  return redacted(value, 0) as T
}

function redacted(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return REDACTED
  if (Array.isArray(value)) return value.map((element) => redacted(element, depth + 1))
  const members = Object.entries(value).map(([name, member]) => {
    if (isHarmless(name)) return [name, redacted(member, depth + 1)]
    return [redactText(name), isHidden(name, member) ? REDACTED : redacted(member, depth + 1)]
  })
  return Object.fromEntries(members)
}

/** Names repeat, and checking one costs more than checking a text. */
const harmless = new Set<string>()
const MAX_HARMLESS = 2_000

function isHarmless(name: string): boolean {
  if (harmless.has(name)) return true
  if (name.length > MAX_NAME || isSecretName(name) || isNumericSecretName(name) || redactText(name) !== name) return false
  if (harmless.size >= MAX_HARMLESS) harmless.clear()
  harmless.add(name)
  return true
}

/**
 * True if a member's value is replaced because of its name. Flags and numbers pass, as in `tokenSet` or `firstTokenMs`; digits are
 * a secret only under the name of a numeric one, such as a PIN.
 */
function isHidden(name: string, value: unknown): boolean {
  if (value === null || value === undefined || value === '' || typeof value === 'boolean') return false
  if (typeof value === 'number') return Number.isFinite(value) ? isNumericSecretName(name) : isSecretName(name)
  return isSecretName(name) || (typeof value === 'string' && /^\d{3,19}$/.test(value) && isNumericSecretName(name))
}

/** Extra characters that are searched beyond those that are kept, so that a secret on the edge is recognised. */
const MARGIN = 65_536

/** Returns the beginning of a text without its secrets: at least `max` characters, for a caller that cuts it there. */
export function redactStart(text: string, max: number): string {
  return redactText(startOf(text, max))
}

/** The same for a text that may be long: other calls get their turn meanwhile. */
export function redactStartInTurns(text: string, max: number): Promise<string> {
  return redactTextInTurns(startOf(text, max))
}

const startOf = (text: string, max: number): string => (text.length > max + MARGIN ? text.slice(0, max + MARGIN) : text)

/** A text as it may be stored: well-formed, without its secrets, and no longer than `max` characters. */
export const storableText = (text: string, max: number): string => repairText(cutText(redactStart(text, max), max))

/**
 * Attributes as they may be stored: well-formed and without their secrets; of those whose JSON is longer than `max` characters, only that.
 * Attributes that are much longer are not searched for secrets, since nothing of them is kept.
 */
export function storableAttributes(attributes: Readonly<Record<string, unknown>>, max: number): Record<string, unknown> {
  const given = JSON.stringify(attributes).length
  if (given > max + MARGIN) return { truncated: true, characters: given }
  const whole = repairText(redact({ ...attributes }))
  const { length } = JSON.stringify(whole)
  return length <= max ? whole : { truncated: true, characters: length }
}

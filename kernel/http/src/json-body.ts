import { BadRequest, cutText, repairText } from '@gateway/sdk'
import { placeOfRounded, type ReadJson, readJson } from '@gateway/sdk/json'

/** Deeper nesting than any schema needs; recursive code after the parser (this file, validators, digests) relies on it. */
const MAX_DEPTH = 100

/** Keys that reach a prototype if a careless merge copies them, also if written with escapes. */
const SUSPECT = /__proto__|constructor|\\u/

/**
 * A JSON body as a value; an empty one is undefined. Throws BAD_REQUEST naming what is wrong and, for syntax, where. `maxValues`
 * bounds names and values together. Texts with half of a surrogate pair are repaired where `repairs` says so, and refused elsewhere.
 */
export function parseJson(bytes: Buffer, maxValues: number, repairs: (value: unknown) => boolean = () => false): unknown {
  if (bytes.length === 0) return undefined
  const read = readJson(bytes, { depth: MAX_DEPTH, values: maxValues })
  const isRepaired = read.fault === 'surrogate' && repairs(read.value)
  if (read.fault !== undefined && !isRepaired) throw refused(whyNot(read, maxValues), ('at' in read && read.at) || 'body')
  const { text, value } = isRepaired ? { text: read.text, value: repairText(read.value) } : read
  const rounded = placeOfRounded({ text, value })
  if (rounded !== undefined)
    throw refused(`has an integer with more digits than a number keeps; send it as text${within(rounded)}`, rounded || 'body')
  if (SUSPECT.test(text)) inspect(value)
  return value
}

const within = (place: string): string => place && `, at \`${place}\``

function whyNot(read: Exclude<ReadJson, { fault?: never }>, maxValues: number): string {
  switch (read.fault) {
    case 'depth':
      return `is nested deeper than ${MAX_DEPTH} levels`
    case 'values':
      return `has more than ${maxValues} names and values; send it in parts`
    case 'encoding':
      return 'is not UTF-8 text (a compressed body is not taken)'
    case 'number':
      return `has a number that is too large to be one${within(read.at)}`
    case 'surrogate':
      return `has half of a surrogate pair, which is no text${within(read.at)}`
    case 'syntax':
      return `is not JSON: ${explain(read.text, read.message)}`
  }
}

/** For larger texts, finding the position would cost the gateway more than it costs an attacker. */
const MAX_EXPLAINED = 65_536

/** Returns the parser's message, with the position if the parser omits it (“Unexpected token”). */
function explain(text: string, message: string): string {
  if (!message.startsWith('Unexpected token') || text.length > MAX_EXPLAINED) return message
  // The longest prefix that could still become JSON ends at the fault.
  let [good, bad] = [0, text.length]
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isBeginning(text.slice(0, middle))) good = middle
    else bad = middle
  }
  return `${message.replace(/,.*$/s, '')} in JSON at position ${good}`
}

/** True if the only fault of this text is that it ends. */
function isBeginning(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const { message } = error as Error
    const position = /at position (\d+)/.exec(message)?.[1]
    return message.includes('end of JSON input') || Number(position) >= text.length
  }
}

/** Throws BAD_REQUEST for a key, at any depth, that reaches a prototype. */
function inspect(value: unknown, place = ''): void {
  if (typeof value !== 'object' || value === null) return
  const isArray = Array.isArray(value)
  const key = isArray ? undefined : prototypeKey(value)
  if (key !== undefined)
    throw refused(
      `has a key "${key}", which is not accepted${place && `, in \`${cutText(place, MAX_PLACE)}\``}`,
      cutText(member(place, key), MAX_PLACE),
    )
  for (const [name, item] of Object.entries(value)) inspect(item, isArray ? `${place}[${name}]` : member(place, name))
}

const MAX_PLACE = 200
const member = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`)

function prototypeKey(value: object): string | undefined {
  if (Object.hasOwn(value, '__proto__')) return '__proto__'
  if (!Object.hasOwn(value, 'constructor')) return undefined
  const inner: unknown = Reflect.get(value, 'constructor')
  return typeof inner === 'object' && inner !== null && Object.hasOwn(inner, 'prototype') ? 'constructor.prototype' : undefined
}

function refused(what: string, field = 'body'): Error {
  return BadRequest({ field, message: `The request body ${what}.` })
}

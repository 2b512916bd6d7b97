import { isAscii, isUtf8, transcode } from 'node:buffer'
import { BadRequest } from '@gateway/sdk'
import { exceededLimit } from './json-structure.ts'

/** Deeper nesting than any schema asks for; recursive code behind the parser (this file, validators, digests) may rely on it. */
const MAX_DEPTH = 100

/** Keys that reach a prototype when a careless merge copies them, also when spelt with escapes. */
const SUSPECT = /__proto__|constructor|\\u/

/**
 * A JSON body as a value; an empty one is undefined. Throws BAD_REQUEST naming what is wrong and, for syntax, where. `maxValues`
 * bounds names and values together.
 */
export function parseJson(bytes: Buffer, maxValues: number): unknown {
  if (bytes.length === 0) return undefined
  const exceeded = exceededLimit(bytes, { depth: MAX_DEPTH, values: maxValues })
  if (exceeded === 'depth') throw refused(`is nested deeper than ${MAX_DEPTH} levels`)
  if (exceeded === 'values') throw refused(`has more than ${maxValues} names and values; send it in parts`)
  if (!isUtf8(bytes)) throw refused('is not UTF-8 text (a compressed body is not taken)')
  const text = decoded(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw refused(`is not JSON: ${explain(text, (error as Error).message)}`)
  }
  if (typeof value === 'object' && value !== null && SUSPECT.test(text)) inspect(value)
  return value
}

/** Text beyond ASCII is decoded character by character; much of it by way of UTF-16 in a fifth of the time. */
function decoded(bytes: Buffer): string {
  if (bytes.length < LARGE || isAscii(bytes)) return bytes.toString('utf8')
  return transcode(bytes, 'utf8', 'utf16le').toString('utf16le')
}
const LARGE = 16_384

/** Beyond this, looking for the position would cost a liar too little and us too much. */
const MAX_EXPLAINED = 65_536

/** The parser’s message, with the position where it leaves that out (“Unexpected token”). */
function explain(text: string, message: string): string {
  if (!message.startsWith('Unexpected token') || text.length > MAX_EXPLAINED) return message
  // The longest beginning that could still become JSON ends where the fault is.
  let [good, bad] = [0, text.length]
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isBeginning(text.slice(0, middle))) good = middle
    else bad = middle
  }
  return `${message.replace(/,.*$/s, '')} in JSON at position ${good}`
}

/** Whether all that is wrong with this text is that it ends. */
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

function inspect(value: object): void {
  if (!Array.isArray(value)) checkKeys(value)
  for (const item of Object.values(value)) if (typeof item === 'object' && item !== null) inspect(item)
}

function checkKeys(value: object): void {
  if (Object.hasOwn(value, '__proto__')) throw refused('has a key "__proto__", which is not taken')
  if (!Object.hasOwn(value, 'constructor')) return
  const inner: unknown = Reflect.get(value, 'constructor')
  if (typeof inner === 'object' && inner !== null && Object.hasOwn(inner, 'prototype')) {
    throw refused('has a key "constructor.prototype", which is not taken')
  }
}

function refused(what: string): Error {
  return BadRequest({ field: 'body', message: `The request body ${what}.` })
}

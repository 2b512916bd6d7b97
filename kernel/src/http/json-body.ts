import { isUtf8 } from 'node:buffer'
import { BadRequest } from '@gateway/sdk'

/** Deeper nesting than any schema asks for; recursive code behind the parser (validators, digests) may rely on it. */
const MAX_DEPTH = 100

/** Keys that reach a prototype when a careless merge copies them, also when spelt with escapes. */
const SUSPECT = /__proto__|constructor|\\u/

/** A JSON body as a value; an empty one is undefined. Throws BAD_REQUEST naming what is wrong and, for syntax, where. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  const text = bytes.toString('utf8')
  // What is not UTF-8 was replaced by this character, which a body may also hold of itself.
  if (text.includes('\uFFFD') && !isUtf8(bytes)) throw refused('is not UTF-8 text (a compressed body is not taken)')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw refused(`is not JSON: ${explain(text, (error as Error).message)}`)
  }
  // Most bodies open too few objects and arrays to be too deep, and need no walk.
  if (occurrences(text, '{') + occurrences(text, '[') > MAX_DEPTH || SUSPECT.test(text)) inspect(value)
  return value
}

/** How often a character occurs; counted no further than matters. */
function occurrences(text: string, character: string): number {
  let count = 0
  for (let at = text.indexOf(character); at >= 0 && count <= MAX_DEPTH; at = text.indexOf(character, at + 1)) count++
  return count
}

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

/** Walks without recursion: the depth it guards against must not be what overflows it. */
function inspect(root: unknown): void {
  let level: unknown[] = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw refused(`is nested deeper than ${MAX_DEPTH} levels`)
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      if (!Array.isArray(value)) checkKeys(value)
      for (const item of Object.values(value)) if (typeof item === 'object' && item !== null) next.push(item)
    }
    level = next
  }
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

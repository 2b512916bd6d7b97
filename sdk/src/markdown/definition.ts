import { isBlankFrom, isSpace, type Line } from './line.ts'

/** The code behind the last character of a line. */
const END = -1
const SPACE = 32
const QUOTE = 34
const APOSTROPHE = 39
const OPENING = 40
const CLOSING = 41
const COLON = 58
const LESS = 60
const GREATER = 62
const OPENING_BRACKET = 91
const BACKSLASH = 92
const CLOSING_BRACKET = 93
const DELETE = 127

const MAX_LABEL = 999
const MAX_NESTED = 32

/** A position in the lines of a paragraph. */
class Reading {
  readonly line: Line
  readonly #more: () => boolean
  at: number

  constructor(line: Line, more: () => boolean) {
    this.line = line
    this.#more = more
    this.at = line.at
  }

  /** Moves to the next line, unless the paragraph ends before it. */
  more(): boolean {
    const isMore = this.#more()
    if (isMore) this.at = this.line.at
    return isMore
  }
}

/**
 * Reads a link reference definition, as `[label]: target "title"`, that begins at a `[`. Returns the offset of the line behind it,
 * or -1 for other text. `more` moves to the next line, or stays and returns false at the end of the paragraph. A title may begin on a
 * line of its own, which belongs to the definition only when the title is complete.
 */
export function definitionEnd(line: Line, more: () => boolean): number {
  const reading = new Reading(line, more)
  if (!skipLabel(reading)) return -1
  skipSpaces(reading)
  if (!skipTarget(reading)) return -1
  const targetEnd = reading.at
  const isAlone = isBlankFrom(line, targetEnd)
  const next = line.next
  skipSpaces(reading)
  const hasTitle = reading.at !== targetEnd && skipTitle(reading) && isBlankFrom(line, reading.at)
  if (hasTitle) return line.next
  return isAlone ? next : -1
}

function skipLabel(reading: Reading): boolean {
  const { line } = reading
  let above = ''
  let from = ++reading.at
  for (let code = line.code(from); code !== CLOSING_BRACKET; code = line.code(reading.at)) {
    if (code === OPENING_BRACKET || above.length + reading.at - from > 2 * MAX_LABEL) return false
    if (code === END) {
      above += `${line.text.slice(from, line.end)}\n`
      if (!reading.more()) return false
      from = reading.at
    } else reading.at += code === BACKSLASH ? 2 : 1
  }
  const label = above + line.text.slice(from, reading.at++)
  return line.code(reading.at++) === COLON && /\S/.test(label) && (label.length <= MAX_LABEL || [...label].length <= MAX_LABEL)
}

/** Skips spaces and the ends of lines. */
function skipSpaces(reading: Reading): void {
  for (;;) {
    const code = reading.line.code(reading.at)
    if (isSpace(code)) reading.at++
    else if (code !== END || !reading.more()) return
  }
}

function skipTarget(reading: Reading): boolean {
  return reading.line.code(reading.at) === LESS ? skipBracketed(reading) : skipPlain(reading)
}

function skipBracketed(reading: Reading): boolean {
  const { line } = reading
  for (reading.at++; ; reading.at++) {
    const code = line.code(reading.at)
    if (code === END || code === LESS) return false
    if (code === GREATER) {
      reading.at++
      return true
    }
    if (code === BACKSLASH) reading.at++
  }
}

function skipPlain(reading: Reading): boolean {
  const { line, at } = reading
  let nested = 0
  for (;;) {
    const code = line.code(reading.at)
    // Control characters and the end of the line end a target.
    if (code <= SPACE || code === DELETE || (code === CLOSING && nested === 0)) break
    if (code === OPENING && ++nested > MAX_NESTED) return false
    if (code === CLOSING) nested--
    reading.at += code === BACKSLASH && line.code(reading.at + 1) > SPACE ? 2 : 1
  }
  return reading.at > at && nested === 0
}

function skipTitle(reading: Reading): boolean {
  const { line } = reading
  const opening = line.code(reading.at++)
  if (opening !== QUOTE && opening !== APOSTROPHE && opening !== OPENING) return false
  const closing = opening === OPENING ? CLOSING : opening
  for (;;) {
    const code = line.code(reading.at)
    if (code === END) {
      if (!reading.more()) return false
      continue
    }
    if (code === OPENING && closing === CLOSING) return false
    reading.at += code === BACKSLASH ? 2 : 1
    if (code === closing) return true
  }
}

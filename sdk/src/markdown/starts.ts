import { htmlBlockOf } from './html.ts'
import { isBlankFrom, isSpace, type Line } from './line.ts'

const HASH = 35
const ASTERISK = 42
const PLUS = 43
const MINUS = 45
const DOT = 46
const BRACKET = 41
const ZERO = 48
const NINE = 57
const LESS = 60
const EQUALS = 61
const GREATER = 62
const UNDERSCORE = 95
const BACKTICK = 96
const TILDE = 126

const MAX_LEVEL = 6
const MIN_FENCE = 3
const MIN_RULE = 3
const MAX_DIGITS = 9

export interface Fence {
  readonly mark: number
  readonly length: number
}

/** The offset behind a run of one character. */
function runEnd(line: Line, code: number): number {
  let { at } = line
  while (line.code(at) === code) at++
  return at
}

export function fenceOf(line: Line): Fence | undefined {
  const mark = line.code()
  if (mark !== BACKTICK && mark !== TILDE) return undefined
  const end = runEnd(line, mark)
  const length = end - line.at
  if (length < MIN_FENCE) return undefined
  return mark === BACKTICK && line.text.slice(end, line.end).includes('`') ? undefined : { mark, length }
}

export function closesFence(line: Line, { mark, length }: Fence): boolean {
  const end = runEnd(line, mark)
  return end - line.at >= length && isBlankFrom(line, end)
}

/** A thematic break, as `***`. */
export function isRule(line: Line): boolean {
  const mark = line.code()
  return (mark === ASTERISK || mark === MINUS || mark === UNDERSCORE) && line.onlyMarks(mark) >= MIN_RULE
}

export const isQuote = (line: Line): boolean => line.code() === GREATER

/** The offset behind the marker of a list item, or -1. */
export function listMarkerEnd(line: Line): number {
  const first = line.code()
  const isBullet = first === ASTERISK || first === MINUS || first === PLUS
  const end = isBullet ? line.at + 1 : isDigit(first) ? numberEnd(line) : -1
  return end !== -1 && (end >= line.end || isSpace(line.code(end))) ? end : -1
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE

function numberEnd(line: Line): number {
  let at = line.at + 1
  while (isDigit(line.code(at))) if (++at - line.at > MAX_DIGITS) return -1
  const code = line.code(at)
  return code === DOT || code === BRACKET ? at + 1 : -1
}

/** Only a bullet or the number 1, with content behind it, ends a paragraph. */
function interruptsParagraph(line: Line, markerEnd: number): boolean {
  if (isBlankFrom(line, markerEnd)) return false
  return !isDigit(line.code()) || Number(line.text.slice(line.at, markerEnd - 1)) === 1
}

/** The level of a heading that begins with `#`, or 0. */
export function headingLevel(line: Line): number {
  if (line.code() !== HASH) return 0
  const end = runEnd(line, HASH)
  const level = end - line.at
  return level <= MAX_LEVEL && (end >= line.end || isSpace(line.code(end))) ? level : 0
}

/** The words of such a heading, without the marks around them. */
export function headingWords(line: Line, level: number): string {
  const from = line.at + level
  let to = line.end
  while (to > from && isSpace(line.code(to - 1))) to--
  let marks = to
  while (marks > from && line.code(marks - 1) === HASH) marks--
  return line.text.slice(from, marks > from && isSpace(line.code(marks - 1)) ? marks : to).trim()
}

/** The level that a line of `===` or `---` gives to the paragraph above it, or 0. */
export function underlineLevel(line: Line): number {
  const mark = line.code()
  if ((mark !== MINUS && mark !== EQUALS) || !isBlankFrom(line, runEnd(line, mark))) return 0
  return mark === EQUALS ? 1 : 2
}

/** The first characters of lines that may end the text before them. */
const MARKS = new Set([...'`~>*-_+<#=0123456789'].map((mark) => mark.charCodeAt(0)))
const ASCII = 128
const isMark = Array.from({ length: ASCII }, (_, code) => MARKS.has(code))

/** True for a first character with which a line cannot end the text before it, as with nearly all lines. */
export const isPlain = (code: number): boolean => !isMark[code]

/** The list items that end the text before them. */
export type Lists = 'all' | 'none' | 'as in a paragraph'

/** True when a line begins a block that ends the text before it. */
export function isInterruption(line: Line, lists: Lists): boolean {
  const code = line.code()
  if (isPlain(code)) return false
  if (code === LESS) return htmlBlockOf(line.text.slice(line.at, line.end))?.interrupts ?? false
  if (code === GREATER || fenceOf(line) !== undefined || headingLevel(line) > 0 || isRule(line)) return true
  const markerEnd = lists === 'none' ? -1 : listMarkerEnd(line)
  return markerEnd !== -1 && (lists === 'all' || interruptsParagraph(line, markerEnd))
}

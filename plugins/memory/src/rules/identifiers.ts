import { fold } from './fold.ts'
import { isUnspaced } from './unspaced.ts'

const QUOTED = /["“”`]([^"“”`]{2,200})["“”`]/gu
/**
 * The forms of code, file names and numbers of things: joined by `_ . : / #`, humped, or letters with digits. A form begins where a run of
 * letters and digits begins, so each run is read once.
 */
const IDENTIFIER =
  /(?<![\p{L}\p{N}])(?:[\p{L}\p{N}]+(?:(?:[_:/#@]|\.(?=[\p{L}\p{N}])|-(?=\p{N})|(?<=\p{N})-)+[\p{L}\p{N}]+)+|[\p{L}\p{N}]*\p{Ll}\p{Lu}[\p{L}\p{N}]*|(?=[\p{L}\p{N}]*\p{N})(?=[\p{L}\p{N}]*\p{L})[\p{L}\p{N}]{4,})/gu
const MAX_EXACT = 8

/** What of a question is meant as it is written: phrases in quotes, identifiers, and a question of one word. Folded. */
export function exactParts(query: string): readonly string[] {
  const quoted = [...query.matchAll(QUOTED)].map((match) => match[1] as string)
  const identifiers = [...query.matchAll(IDENTIFIER)].map(([found]) => found)
  const alone = /^\s*\S+\s*$/.test(query) ? [query.trim()] : []
  return [...new Set([...quoted, ...identifiers, ...alone].map(fold))].slice(0, MAX_EXACT)
}

/** How many of the parts a text holds as they are written, 0 to 1. */
export function exactness(parts: readonly string[], text: string): number {
  if (parts.length === 0) return 0
  const folded = fold(text)
  return parts.filter((part) => holds(folded, part)).length / parts.length
}

/** The most places of a part that are looked at in one text. */
const MAX_PLACES = 1_000

/** The part must not be a piece of a longer word; in scripts without spaces it may be. */
function holds(text: string, part: string): boolean {
  const [first = '', last = ''] = [part[0], part.at(-1)]
  let at = part === '' ? -1 : text.indexOf(part)
  for (let places = 0; at !== -1 && places < MAX_PLACES; places++) {
    if (isEdge(first, text[at - 1]) && isEdge(last, text[at + part.length])) return true
    at = text.indexOf(part, isUnspaced(first) ? at + 1 : wordEnd(text, at))
  }
  return false
}

/** The offset behind the word at a place, because no part begins within a word. */
function wordEnd(text: string, at: number): number {
  NO_WORD.lastIndex = at + 1
  return NO_WORD.exec(text)?.index ?? text.length
}
const NO_WORD = /[^\p{L}\p{N}_]/gu

function isEdge(own: string, beside = ' '): boolean {
  return isUnspaced(own) || !/[\p{L}\p{N}_]/u.test(beside)
}

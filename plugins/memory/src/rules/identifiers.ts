import { fold } from './fold.ts'
import { isUnspaced } from './unspaced.ts'

const QUOTED = /["“”`]([^"“”`]{2,200})["“”`]/gu
/**
 * Forms of code, file names and numbered items: joined by `_ . : / #`, camel-cased, or letters with digits. A form begins where
 * a run of letters and digits begins, so each run is read once.
 */
const IDENTIFIER =
  /(?<![\p{L}\p{N}])(?:[\p{L}\p{N}]+(?:(?:[_:/#@]|\.(?=[\p{L}\p{N}])|-(?=\p{N})|(?<=\p{N})-)+[\p{L}\p{N}]+)+|[\p{L}\p{N}]*\p{Ll}\p{Lu}[\p{L}\p{N}]*|(?=[\p{L}\p{N}]*\p{N})(?=[\p{L}\p{N}]*\p{L})[\p{L}\p{N}]{4,})/gu
const MAX_EXACT = 8

/** Returns the parts of a question that are meant literally: quoted phrases, identifiers, and a question of one word. Folded. */
export function exactParts(query: string): readonly string[] {
  const quoted = [...query.matchAll(QUOTED)].map((match) => match[1] as string)
  const identifiers = [...query.matchAll(IDENTIFIER)].map(([found]) => found)
  const alone = /^\s*\S+\s*$/.test(query) ? [query.trim()] : []
  return [...new Set([...quoted, ...identifiers, ...alone].map(fold))].slice(0, MAX_EXACT)
}

/** Returns the share of the parts that a text holds literally, 0 to 1. */
export function exactness(parts: readonly string[], text: string): number {
  if (parts.length === 0) return 0
  const folded = fold(text)
  return parts.filter((part) => holds(folded, part)).length / parts.length
}

const MAX_OCCURRENCES_CHECKED = 1_000

/** The part must not be inside a longer word, except in scripts without spaces. */
function holds(text: string, part: string): boolean {
  const [first = '', last = ''] = [part[0], part.at(-1)]
  let at = part === '' ? -1 : text.indexOf(part)
  for (let places = 0; at !== -1 && places < MAX_OCCURRENCES_CHECKED; places++) {
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

import { fold } from './fold.ts'
import { isUnspaced } from './unspaced.ts'

const QUOTED = /["“”`]([^"“”`]{2,200})["“”`]/gu
/** What only code, names of files and numbers of things look like: joined by `_ . : / #`, humped, or letters with digits. */
const IDENTIFIER =
  /[\p{L}\p{N}]+(?:(?:[_:/#@]|\.(?=[\p{L}\p{N}])|-(?=\p{N})|(?<=\p{N})-)+[\p{L}\p{N}]+)+|\p{Ll}+\p{Lu}[\p{L}\p{N}]*|(?=[\p{L}\p{N}]*\p{N})(?=[\p{L}\p{N}]*\p{L})[\p{L}\p{N}]{4,}/gu
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

/** The part must not be a piece of a longer word; in scripts without spaces it may be. */
function holds(text: string, part: string): boolean {
  const [first = '', last = ''] = [part[0], part.at(-1)]
  for (let at = text.indexOf(part); part !== '' && at !== -1; at = text.indexOf(part, at + 1)) {
    if (isEdge(first, text[at - 1]) && isEdge(last, text[at + part.length])) return true
  }
  return false
}

function isEdge(own: string, beside = ' '): boolean {
  return isUnspaced(own) || !/[\p{L}\p{N}_]/u.test(beside)
}

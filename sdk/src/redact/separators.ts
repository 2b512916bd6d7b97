import { MAX_NAME } from './names.ts'
import { QUOTES } from './value.ts'

/** `:`, `=` and `>`, the same encoded, and `--name` with the blank behind it: they stand between a name and its value. */
export const SEPARATOR = /[:=>]|%3[Dd]|--[A-Za-z][\w-]{0,40}[ \t]/g

const OF_NAME = tableOf(/[\w.-]/)
const BETWEEN = tableOf(new RegExp(`[ \\t\\\\\\]${QUOTES}]`))

/** The name that ends before `at`, with the quote that opened it, if any. */
export function nameBefore(text: string, at: number, from: number): { readonly text: string; readonly quote: string } | undefined {
  let end = at
  const least = Math.max(from, at - MAX_NAME)
  while (end > least && BETWEEN[text.charCodeAt(end - 1)] === 1) end--
  let start = end
  while (start > least && OF_NAME[text.charCodeAt(start - 1)] === 1) start--
  if (start === end) return undefined
  const before = text[start - 1] ?? ''
  return { text: text.slice(start, end), quote: end === at && before !== '' && QUOTES.includes(before) ? before : '' }
}

/** A table of ASCII is several times as fast as a regular expression for a single character. */
function tableOf(characters: RegExp): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => Number(characters.test(String.fromCharCode(code))))
}

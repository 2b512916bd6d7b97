import { contentHash } from './content-hash.ts'
import { MIN_CHARACTERS, runsOf, sentencesOf } from './sentences.ts'
import { type Range, withMarks, withoutRanges } from './without-ranges.ts'

export function paragraphsOf(text: string): readonly Range[] {
  return Array.from(text.matchAll(/\S[^\n]*(?:\n[^\S\n]*\S[^\n]*)*/g), ({ 0: one, index }) => ({ start: index, end: index + one.length }))
}

/** Returns the hash of a text, whatever its white space. */
const hashOf = (text: string): string => contentHash(text.trim().replace(/\s+/g, ' '))

/** Returns the key of a tombstone: that of a text forgotten everywhere, or in one repo alone. */
export const tombstoneKey = (hash: string, repo?: string): string => (repo === undefined ? hash : contentHash(`${repo}\n${hash}`))

/** Returns the hashes that a tombstone of this text consists of: that of the whole, those of its telling paragraphs and sentences. */
export function tombstoneHashes(text: string): readonly string[] {
  return [...new Set([hashOf(text), ...partsOf(text).map(({ hash }) => hash)])]
}

interface Part extends Range {
  readonly hash: string
}

function partsOf(text: string): readonly Part[] {
  const paragraphs = paragraphsOf(text).flatMap(({ start, end }) =>
    end - start < MIN_CHARACTERS ? [] : [{ start, end, hash: hashOf(text.slice(start, end)) }],
  )
  const sentences = sentencesOf(text)
  const runs = runsOf(sentences).map(({ from, to, words }) => ({
    start: sentences[from]?.start ?? 0,
    end: sentences[to]?.end ?? 0,
    hash: hashOf(words),
  }))
  return [...paragraphs, ...runs]
}

/** Returns a text without what was forgotten of it, however it is cut now; '' when nothing is left. */
export function withoutForgotten(text: string, forgotten: ReadonlySet<string>): string {
  if (forgotten.has(hashOf(text))) return ''
  const gone = partsOf(text).filter(({ hash }) => forgotten.has(hash))
  if (gone.length === 0) return text
  const left = withoutRanges(
    text,
    gone.map((range) => withMarks(text, range)),
  )
  return /[\p{L}\p{N}]/u.test(left) ? left : ''
}

import { contentHash } from './content-hash.ts'
import { MIN_CHARACTERS, runsOf, sentencesOf } from './sentences.ts'
import { type Range, withMarks, withoutRanges } from './without-ranges.ts'

export function paragraphsOf(text: string): readonly Range[] {
  return Array.from(text.matchAll(/\S[^\n]*(?:\n[^\S\n]*\S[^\n]*)*/g), ({ 0: one, index }) => ({ start: index, end: index + one.length }))
}

/** Returns the hash of a text, whatever its white space. */
export const hashOf = (text: string): string => contentHash(text.trim().replace(/\s+/g, ' '))

/** Returns the key of a tombstone: that of a text forgotten everywhere, or in one repo alone. */
export const tombstoneKey = (hash: string, repo?: string): string => (repo === undefined ? hash : contentHash(`${repo}\n${hash}`))
/** Returns the key of a sentence that was forgotten in one origin. Elsewhere the same sentence may say something else. */
export const sentenceKey = (hash: string, origin: string): string => contentHash(`origin\n${origin}\n${hash}`)

/** Hashes of a text that are looked for in tombstones. */
export interface Hashes {
  /** Hashes of the whole text and of its telling paragraphs. */
  readonly texts: readonly string[]
  readonly sentences: readonly string[]
}
export function hashesOf(text: string): Hashes {
  const unique = (parts: readonly Part[]): readonly string[] => [...new Set(parts.map(({ hash }) => hash))]
  return { texts: [...new Set([hashOf(text), ...unique(hashedParagraphs(text))])], sentences: unique(hashedSentences(text)) }
}

interface Part extends Range {
  readonly hash: string
}

function hashedParagraphs(text: string): readonly Part[] {
  return paragraphsOf(text).flatMap(({ start, end }) =>
    end - start < MIN_CHARACTERS ? [] : [{ start, end, hash: hashOf(text.slice(start, end)) }],
  )
}

function hashedSentences(text: string): readonly Part[] {
  const sentences = sentencesOf(text)
  return runsOf(sentences).map(({ from, to, words }) => ({
    start: sentences[from]?.start ?? 0,
    end: sentences[to]?.end ?? 0,
    hash: hashOf(words),
  }))
}

export interface Forgotten {
  readonly texts: ReadonlySet<string>
  readonly sentences: ReadonlySet<string>
}

/** Returns a text without these pieces and what was forgotten of it, however it is cut now; '' when nothing is left. */
export function withoutForgotten(text: string, { texts, sentences }: Forgotten, pieces: readonly Range[] = []): string {
  if (texts.has(hashOf(text))) return ''
  const paragraphs = hashedParagraphs(text).filter(({ hash }) => texts.has(hash))
  const gone: readonly Range[] = [...pieces, ...paragraphs, ...hashedSentences(text).filter(({ hash }) => sentences.has(hash))]
  if (gone.length === 0) return text
  const left = withoutRanges(
    text,
    gone.map((range) => withMarks(text, range)),
  )
  return /[\p{L}\p{N}]/u.test(left) ? left : ''
}

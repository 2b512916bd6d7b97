import { contentHash } from './content-hash.ts'

/** A shorter paragraph says nothing of its own, such as `Done.`, and stays in other texts. */
const MIN_CHARACTERS = 24

function paragraphsOf(text: string): readonly string[] {
  return text.split(/\n[^\S\n]*\n\s*/).filter((one) => one.trim() !== '')
}

/** Returns the hash of a text, whatever its white space. */
const hashOf = (text: string): string => contentHash(text.trim().replace(/\s+/g, ' '))

/** Returns the hashes that a tombstone of this text consists of: that of the whole and those of its telling paragraphs. */
export function tombstoneHashes(text: string): readonly string[] {
  const telling = paragraphsOf(text).filter((one) => one.trim().length >= MIN_CHARACTERS)
  return [...new Set([text, ...telling].map(hashOf))]
}

/** Returns a text without its forgotten paragraphs, however it is cut now; '' when it is forgotten as a whole. */
export function withoutForgotten(text: string, forgotten: ReadonlySet<string>): string {
  if (forgotten.has(hashOf(text))) return ''
  const paragraphs = paragraphsOf(text)
  const left = paragraphs.filter((one) => one.trim().length < MIN_CHARACTERS || !forgotten.has(hashOf(one)))
  return left.length === paragraphs.length ? text : left.join('\n\n')
}

/**
 * Returns a text without the paragraphs that a forgotten text has too. The text stays as it is when they share no telling
 * paragraph, or none at all.
 */
export function textWithout(text: string, forgotten: string): string {
  const own = new Set(paragraphsOf(forgotten).map(hashOf))
  const paragraphs = paragraphsOf(text)
  const isShared = paragraphs.some((one) => own.has(hashOf(one)) && (one.trim().length >= MIN_CHARACTERS || paragraphs.length === 1))
  return isShared ? paragraphs.filter((one) => !own.has(hashOf(one))).join('\n\n') : text
}

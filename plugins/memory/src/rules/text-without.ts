import { REDACTED, redactText } from '@gateway/sdk/redact'
import { contentHash } from './content-hash.ts'
import { MIN_CHARACTERS, runsOf, sentencesOf } from './sentences.ts'
import { paragraphsOf } from './tombstones.ts'
import { type Range, withMarks, withoutRanges } from './without-ranges.ts'

/** Letters of a text without white space and without marks that differ between a record and its chunks. */
interface Letters {
  readonly letters: string
  /** Position of each in the text. */
  readonly at: readonly number[]
}

const LEFT_OUT = /[\s>#=\-\ufeff]/

function lettersOf(text: string): Letters {
  const at: number[] = []
  let letters = ''
  for (let i = 0; i < text.length; i++) {
    const letter = text[i] as string
    if (LEFT_OUT.test(letter)) continue
    letters += letter
    at.push(i)
  }
  return { letters, at }
}

/** Maximum number of letters of a secret, of which the chunk does not have any. */
const MAX_SECRET = 8_192
/** Places at which a text may begin. */
const MAX_STARTS = 2_000

/** A chunk that is looked for in records. */
export interface ForgottenText {
  readonly chunk: string
  /** Letters of the chunk between the secrets that it does not have. */
  readonly parts: readonly string[]
  readonly letters: string
  readonly paragraphs: ReadonlySet<string>
  /** True if it is long enough to be told from other texts. */
  readonly isTelling: boolean
}

export function forgottenText(chunk: string): ForgottenText {
  return {
    chunk,
    parts: chunk.split(REDACTED).map((part) => lettersOf(part).letters),
    letters: lettersOf(chunk).letters,
    paragraphs: new Set(paragraphsOf(chunk).map(({ start, end }) => normal(chunk.slice(start, end)))),
    isTelling: chunk.replaceAll(REDACTED, '').trim().length >= MIN_CHARACTERS,
  }
}

interface Found extends Range {
  /** False if it begins or ends within a word: it may be a part of another text. */
  readonly isSure: boolean
}

/** Finds a text of a chunk in a record, with the secrets that the chunk does not have. */
function rangesOf({ letters, at }: Letters, text: string, { parts, letters: wanted }: ForgottenText): readonly Found[] {
  const [first = '', ...more] = parts.filter((part) => part !== '')
  if (first === '') return []
  const hasSecret = parts.length > 1
  const ranges: Found[] = []
  let start = letters.indexOf(first)
  for (let tries = 0; start !== -1 && tries < MAX_STARTS; tries++) {
    let end: number | undefined = start + first.length
    for (const part of more) {
      const next: number = letters.slice(end, end + MAX_SECRET + part.length).indexOf(part)
      end = next === -1 ? undefined : end + next + part.length
      if (end === undefined) break
    }
    if (end !== undefined) {
      const range = withLeftOut(text, { start: at[start] as number, end: (at[end - 1] as number) + 1 })
      const whole = withSecrets(text, range, { before: parts[0] === '', after: parts.at(-1) === '' })
      // The place of the secret may hold any other word.
      const isSame = !hasSecret || lettersOf(redactText(text.slice(whole.start, whole.end))).letters === wanted
      if (isSame) ranges.push({ ...whole, isSure: wanted.length >= LONG || hasWholeWords(text, whole) })
    }
    start = letters.indexOf(first, end ?? start + 1)
  }
  return ranges
}

const WORD = /\w/
/** Longer pieces may be cut within a word of a text without spaces, and mean nothing else. */
const LONG = 300

/** True if a range neither begins nor ends within a word. Scripts that are written without spaces have no such places. */
function hasWholeWords(text: string, { start, end }: Range): boolean {
  const within = (at: number): boolean => WORD.test(text[at - 1] ?? '') && WORD.test(text[at] ?? '')
  return !within(start) && !within(end)
}

const MARK = /[>#=-]/

/** Extends a range to the ends of its first and last word. */
function withLeftOut(text: string, { start, end }: Range): Range {
  let [from, to] = [start, end]
  while (MARK.test(text[from - 1] ?? '')) from--
  while (MARK.test(text[to] ?? '')) to++
  return { start: from, end: to }
}

/** Extends a range over the secret that the line has before or after it. */
function withSecrets(text: string, { start, end }: Range, has: { readonly before: boolean; readonly after: boolean }): Range {
  const after = text.indexOf('\n', end)
  return {
    start: has.before ? text.lastIndexOf('\n', start - 1) + 1 : start,
    end: has.after ? (after === -1 ? text.length : after) : end,
  }
}

const SECTION_BEGINS = /(?:^|\n[^\S\n]*\n|(?:^|\n) {0,3}#{1,6}[^\n]*\n|\n {0,3}(?:=+|-+)[^\S\n]*\n)\s*$/
const SECTION_ENDS = /^[^\S\n]*(?:\n[^\S\n]*(?:\n|$)|\n {0,3}#{1,6}\s|$)/

/** True if a range is a whole paragraph or more. */
function isAlone(text: string, { start, end }: Range): boolean {
  return SECTION_BEGINS.test(text.slice(Math.max(0, start - 1_000), start)) && SECTION_ENDS.test(text.slice(end, end + 1_000))
}

const normal = (text: string): string => contentHash(redactText(text).trim().replace(/\s+/g, ' '))

/**
 * Returns a record's text without forgotten chunks of it: whatever became of its headings, quotes and secrets in the index, and
 * wherever it was cut. A text too short to tell is removed only where it is a paragraph of its own. `head` is what stands before
 * the text in the index. A chunk for which `isSource` is true was indexed from this record: if it is not found as a whole, its single
 * sentences go.
 */
export function textWithout(
  text: string,
  forgotten: readonly ForgottenText[],
  { head = '', isSource = () => false }: { readonly head?: string; readonly isSource?: (one: ForgottenText) => boolean } = {},
): string {
  const whole = head + text
  const letters = lettersOf(whole)
  const paragraphs = paragraphsOf(whole)
  const normals = paragraphs.map(({ start, end }) => normal(whole.slice(start, end)))
  const unsure: Range[] = []
  // Chunks overlap, so that all are found before any is removed.
  const sure = forgotten.flatMap((one) => {
    const alike = paragraphs.filter(
      ({ start, end }, n) => (end - start >= MIN_CHARACTERS || paragraphs.length === 1) && one.paragraphs.has(normals[n] as string),
    )
    const all = rangesOf(letters, whole, one)
    unsure.push(...all.filter(({ isSure }) => !isSure))
    const found = all
      .filter(({ isSure }) => isSure)
      .map((range) => withMarks(whole, range))
      .filter((range) => one.isTelling || isAlone(whole, range))
    if (found.length + alike.length > 0) return [...found, ...alike]
    return isSource(one) ? sentencesAlike(whole, one.chunk) : []
  })
  const ranges = withNeighbours(sure, unsure)
  const clipped = ranges
    .filter(({ end }) => end > head.length)
    .map(({ start, end }) => ({ start: Math.max(0, start - head.length), end: end - head.length }))
  return clipped.length === 0 ? text : withoutRanges(text, clipped)
}

/** Adds the ranges that touch another one: pieces of a text without spaces. */
function withNeighbours(sure: readonly Range[], unsure: readonly Range[]): readonly Range[] {
  const ranges = [...sure]
  let left = unsure
  for (let before = -1; before !== left.length; ) {
    before = left.length
    const touches = ({ start, end }: Range): boolean => ranges.some((one) => one.end === start || one.start === end)
    ranges.push(...left.filter(touches))
    left = left.filter((one) => !ranges.includes(one))
  }
  return ranges
}

/** Finds single sentences of a chunk in a record that has changed since, or of which a part was left out of the index. */
function sentencesAlike(text: string, chunk: string): readonly Range[] {
  const own = new Set(runsOf(sentencesOf(chunk)).map(({ words }) => normal(words)))
  const sentences = sentencesOf(text)
  return runsOf(sentences).flatMap(({ from, to, words }) => {
    const [first, last] = [sentences[from], sentences[to]]
    return first && last && own.has(normal(words)) ? [withMarks(text, { start: first.start, end: last.end })] : []
  })
}
